//! The Toolwire core for Python.
