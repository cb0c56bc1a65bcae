// `--import unplugin-prompts/register`, the generated files and the start of the commands on every
// Node that the package supports, from the registry: their tests run with each as the Node under test.
//
// node test/nightly/node-versions.js, after npm run build; exits with 1 when one fails.
import assert from 'node:assert'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const VERSIONS = ['20.19.0', '22.12.0', '22', '24']
const TESTS = ['built/register', 'built/generated-files', 'built/start-up']

const folder = mkdtempSync(join(tmpdir(), 'prompts-node-'))
try {
  for (const version of VERSIONS) check(version)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function check(version) {
  const node = install(version)
  const { stdout } = run(node, ['--version'], folder)
  const vitest = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--config', 'test/vitest.config.ts', ...TESTS]
  run(process.execPath, args, REPOSITORY, { NODE_BINARY: node })
  console.log(`Node ${stdout.trim()}: as the tests say`)
}

/** The packages are called after the system and hold nothing but the binary. */
function install(version) {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  run('npm', ['install', '--no-audit', '--no-fund', '--no-save', `${name}@${version}`], folder)
  return join(folder, 'node_modules', name, 'bin', 'node')
}

function run(program, args, cwd, env = {}) {
  const ended = spawnSync(program, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8' })
  const { status, stdout, stderr } = ended
  assert.equal(status, 0, `${program} ${args.join(' ')}\n${stdout}\n${stderr}`)
  return ended
}
