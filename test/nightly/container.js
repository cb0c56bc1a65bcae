// What a container needs to run an app from a lock: packs this package, installs it without
// optional dependencies, runs an app with `--import unplugin-prompts/register`, and measures it.
//
// node test/nightly/container.js, after npm run build; exits with 1 when something is not as
// src/register/README.md says.
import assert from 'node:assert'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const MOST_MEGABYTES = 6
const APP = `import { prompts } from 'virtual:prompts'\nconsole.log(Object.keys(prompts).length > 0)\n`

const folder = mkdtempSync(join(tmpdir(), 'prompts-container-'))
try {
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', REPOSITORY]).stdout)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  run('npm', ['install', '--omit=optional', '--no-audit', '--no-fund', join(folder, filename)])
  writeFileSync(join(folder, 'app.js'), APP)
  copyFileSync(join(REPOSITORY, 'playground/prompts.lock.json'), join(folder, 'prompts.lock.json'))

  const app = run('node', ['--import', 'unplugin-prompts/register', 'app.js'])
  assert.deepEqual([app.stdout, app.stderr], ['true\n', ''])

  const cli = join(folder, 'node_modules/unplugin-prompts/dist/cli.js')
  const key = { PROMPTS_API_KEY: 'svc_live_x', PROMPTS_BASE_URL: 'http://127.0.0.1:9' }
  const pull = spawnSync('node', [cli, 'pull', '--json'], {
    cwd: folder,
    env: { ...process.env, ...key },
  })
  assert.equal(JSON.parse(pull.stdout).error.code, 'PACKAGE_MISSING')

  const kilobytes = Number(run('du', ['-sk', 'node_modules']).stdout.split('\t')[0])
  console.log(`Without optional dependencies: ${(kilobytes / 1000).toFixed(1)} MB`)
  assert.ok(kilobytes <= MOST_MEGABYTES * 1000)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function run(program, args) {
  const ended = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
  assert.equal(ended.status, 0, `${program} ${args.join(' ')}\n${ended.stdout}\n${ended.stderr}`)
  return ended
}
