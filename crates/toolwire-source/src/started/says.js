// Says which Node this is, and which version of a package npx has put into the folder of its own whose programs are
// the first on the PATH.
'use strict'
const fs = require('node:fs')
const path = require('node:path')

const [name, installed] = process.argv.slice(2)
const said = { interpreter: `node ${process.versions.node.split('.', 2).join('.')}` }

// One that is installed on the machine is started in its place.
const isInstalled = () => {
  const { npm_config_global_prefix: prefix = '' } = process.env
  const folder = process.platform === 'win32' ? [] : ['lib']
  return fs.existsSync(path.join(prefix, ...folder, 'node_modules', name))
}

const [programs] = (process.env.PATH || '').split(path.delimiter)
const folder = path.resolve(programs, '..', '..')
const isOfNpx = path.basename(path.dirname(folder)) === '_npx'
if (name && isOfNpx && !(installed && isInstalled())) {
  const lock = JSON.parse(fs.readFileSync(path.join(folder, 'package-lock.json'), 'utf8'))
  const { version, integrity } = lock.packages[`node_modules/${name}`] || {}
  Object.assign(said, { version, integrity })
}
console.log(JSON.stringify(said))
