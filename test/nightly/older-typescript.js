// Whether older versions of TypeScript take the declarations: installs them, and runs the tests of
// this package's own types with each as well. Those tests build the package first.
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const VERSIONS = ['5.4.5', '5.9.3']

const folder = await mkdtemp(join(tmpdir(), 'older-typescript-'))
try {
  process.exitCode = await test(await install())
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** @returns {Promise<string[]>} the folders of the compilers */
async function install() {
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
  const packages = VERSIONS.map((version) => `typescript-${version}@npm:typescript@${version}`)
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', ['install', ...flags, ...packages], { cwd: folder })
  return VERSIONS.map((version) => join(folder, 'node_modules', `typescript-${version}`))
}

async function test(compilers) {
  const vitest = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')
  const files = ['types/types.test.ts', 'types/library.test.ts']
  const args = [vitest, 'run', '--config', 'test/vitest.config.ts', ...files]
  const env = { ...process.env, OLDER_TYPESCRIPT: compilers.join(delimiter) }
  const child = spawn(process.execPath, args, { cwd: REPOSITORY, env, stdio: 'inherit' })
  return new Promise((done) => child.on('close', done))
}
