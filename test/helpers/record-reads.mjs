// Preloaded into a process under test: writes the paths that it reads whole, one per line, to RECORD_READS.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'

const { readFileSync } = fs
const paths = []
fs.readFileSync = (path, ...options) => {
  paths.push(String(path))
  return readFileSync(path, ...options)
}
syncBuiltinESMExports()

const { RECORD_READS } = process.env
process.on('exit', () => RECORD_READS && fs.writeFileSync(RECORD_READS, paths.join('\n')))
