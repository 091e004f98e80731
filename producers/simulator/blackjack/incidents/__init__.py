"""What can go otherwise than usual in a blackjack round, and be put right as the regulation orders."""
