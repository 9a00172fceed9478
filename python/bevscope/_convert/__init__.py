"""Files of other data sets."""
