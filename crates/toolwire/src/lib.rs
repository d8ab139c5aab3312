//! Read, check, canonicalize, identify and format what a tool says back.
