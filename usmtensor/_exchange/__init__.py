"""Native code and other libraries that use arrays."""
