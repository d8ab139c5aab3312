mod emulator;
mod transcript;
