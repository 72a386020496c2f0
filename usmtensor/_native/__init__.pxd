# Declarations of libtensor.
