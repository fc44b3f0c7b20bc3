"""The commands of `turnwright tournament`, one module each."""
