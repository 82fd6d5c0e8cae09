"""Floor 5: the rules of HTTP, without a Django request in them."""
