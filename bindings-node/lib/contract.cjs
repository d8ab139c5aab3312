'use strict';
// Contracts of tools: fingerprints, differences, locks, launch URIs, profiles, and what a text hides.

const native = require('./native.cjs');
const { call } = require('./error.cjs');
const { stringOf } = require('./input.cjs');
const { textOf } = require('./how.cjs');
const { jsonBytes, read, write } = require('./value.cjs');

/** A text that is an argument. */
function text(value, name) {
  return stringOf(value, `/${name}`, 'bad_argument');
}

/** The JSON text of a document that is given as an object, or as its text or the bytes of that. */
function documentText(value, name) {
  return jsonBytes(value, name).toString();
}

/** The JSON text of what can be a list too. */
function anyText(value, name) {
  return Array.isArray(value) ? write(value, 'bad_argument', [name]) : documentText(value, name);
}

/** Options as the core reads them. */
function optionsText(options) {
  return textOf(options) ?? '{}';
}

function fingerprint(tool, options) {
  return read(call(native.fingerprint, documentText(tool, 'tool'), optionsText(options)));
}

function projectTool(tool, options) {
  return read(call(native.projectTool, documentText(tool, 'tool'), optionsText(options)));
}

function jnHash(tools) {
  return call(native.jnHash, anyText(tools, 'tools'));
}

function diffTools(older, newer, options) {
  return read(call(native.diffTools, anyText(older, 'old'), anyText(newer, 'new'), optionsText(options)));
}

function parseLaunchUri(uri) {
  return read(call(native.parseLaunchUri, text(uri, 'uri')));
}

function formatLaunchUri(launch) {
  return call(native.formatLaunchUri, documentText(launch, 'launch'));
}

function parseProfileWord(word) {
  return read(call(native.parseProfileWord, text(word, 'word')));
}

function formatProfileWord(word) {
  return call(native.formatProfileWord, documentText(word, 'word'));
}

function findHidden(given) {
  return read(call(native.findHidden, text(given, 'text')));
}

function showHidden(given) {
  return call(native.showHidden, text(given, 'text'));
}

function readLock(data) {
  return read(call(native.readLock, documentText(data, 'data')));
}

function writeLock(lock) {
  return call(native.writeLock, documentText(lock, 'lock'));
}

function updateLock(lock, name, now) {
  return call(native.updateLock, documentText(lock, 'lock'), text(name, 'name'), documentText(now, 'now'));
}

function checkLock(lock, now, options) {
  return read(call(native.checkLock, documentText(lock, 'lock'), documentText(now, 'now'), optionsText(options)));
}

function readProfile(profile) {
  return read(call(native.readProfile, documentText(profile, 'profile')));
}

function readProfileFiles(files) {
  return read(call(native.readProfileFiles, documentText(files, 'files')));
}

function writeProfile(profile, before) {
  return read(call(native.writeProfile, documentText(profile, 'profile'), documentText(before ?? {}, 'before')));
}

function compareProfile(profile, tools, options) {
  return read(call(native.compareProfile, documentText(profile, 'profile'), anyText(tools, 'tools'), optionsText(options)));
}

function convertServer(server, source, target, options) {
  const forms = [text(source, 'source'), text(target, 'target')];
  return read(call(native.convertServer, documentText(server, 'server'), ...forms, optionsText(options)));
}

module.exports = {
  fingerprint, projectTool, jnHash, diffTools, parseLaunchUri, formatLaunchUri, parseProfileWord, formatProfileWord,
  findHidden, showHidden, readLock, writeLock, updateLock, checkLock,
  readProfile, readProfileFiles, writeProfile, compareProfile, convertServer,
};
