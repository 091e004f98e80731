"""The two dealing-shoe sections: stacks of six (670a.10) and hands of five (657a.8)."""
