"""The app that the documentation's examples are about; they import it as ``library``."""
