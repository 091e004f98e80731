"""The grammar of the record: which event may follow which in the lives of table, shoe, round, hand and device."""
