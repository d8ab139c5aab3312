//! The Toolwire core for Node.
