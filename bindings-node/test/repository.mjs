// The checkout that the package was built from: the tests compare the package with it.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function find(folder) {
  if (existsSync(join(folder, 'docs', 'reference', 'libraries.md'))) return folder;
  if (dirname(folder) === folder) throw new Error('run the tests inside the checkout, or set TOOLWIRE_REPOSITORY to it');
  return find(dirname(folder));
}

const repository = process.env.TOOLWIRE_REPOSITORY ?? find(dirname(fileURLToPath(import.meta.url)));

/** The text of a file of the checkout. */
export function read(...path) {
  return readFileSync(join(repository, ...path), 'utf8');
}
