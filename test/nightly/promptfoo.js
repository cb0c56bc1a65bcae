// The recipe for promptfoo in src/features/README.md: its test runs with promptfoo and the Node that it
// needs, both from the registry.
//
// node test/nightly/promptfoo.js, after npm run build; exits with 1 when it fails.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const VITEST = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')
/** The package of Node is called after the system and holds nothing but the binary. */
const NODE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

const folder = mkdtempSync(join(tmpdir(), 'prompts-promptfoo-'))
try {
  process.exitCode = install() || check()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function install() {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--engine-strict=false']
  return run('npm', ['install', ...flags, 'promptfoo@0.123.1', `${NODE}@22`], folder)
}

function check() {
  const args = [VITEST, 'run', '--config', 'test/vitest.config.ts', 'built/evals']
  return run(process.execPath, args, REPOSITORY, {
    PROMPTFOO: join(folder, 'node_modules/.bin/promptfoo'),
    NODE_BINARY: join(folder, 'node_modules', NODE, 'bin/node'),
  })
}

function run(program, args, cwd, env = {}) {
  const ended = spawnSync(program, args, { cwd, env: { ...process.env, ...env }, stdio: 'inherit' })
  return ended.status ?? 1
}
