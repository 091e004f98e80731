"""What a rack proves of the rounds that were logged: by growing evidence, with unread cards, and over a whole shoe."""
