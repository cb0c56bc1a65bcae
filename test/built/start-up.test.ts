import manifest from '../../package.json' with { type: 'json' }
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BINARY, runBinary } from '../helpers/binary.ts'
import { folderWith } from '../helpers/cli.ts'
import { testService } from '../helpers/local-service.ts'
import { installedApp, NODE, runNode } from '../helpers/installed-app.ts'
import { ask } from '../helpers/page/ask.ts'
import { liveLock } from '../helpers/pinned.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const run = promisify(execFile)
const RECORDER = join(import.meta.dirname, '../helpers/record-imports.mjs')
const READ_RECORDER = join(import.meta.dirname, '../helpers/record-reads.mjs')
const DIST = join(import.meta.dirname, '../../dist')

/** The URLs of all modules that Node loads when it runs with these arguments. */
async function modulesOf(args: readonly string[], cwd: string): Promise<string[]> {
  const record = join(cwd, 'imports.txt')
  await rm(record, { force: true })
  const env = { ...process.env, RECORD_IMPORTS: record }
  await run(process.execPath, ['--import', RECORDER, ...args], { cwd, env })
  return (await readFile(record, 'utf8')).split('\n')
}

function packagesIn(urls: readonly string[]): string[] {
  const names = urls.map((url) => /node_modules\/((?:@[^/]+\/)?[^/.][^/]*)/.exec(url)?.[1])
  return [...new Set(names.filter((name) => name !== undefined))].toSorted()
}

/** How often a process reads the lock of its folder. */
async function lockReads(args: readonly string[], cwd: string): Promise<number> {
  const record = join(await temporaryFolder(), 'reads.txt')
  const env = { PATH: process.env['PATH'], RECORD_READS: record }
  await run(process.execPath, ['--import', READ_RECORDER, ...args], { cwd, env })
  const paths = (await readFile(record, 'utf8')).split('\n')
  return paths.filter((path) => path === join(cwd, 'prompts.lock.json')).length
}

/** The arguments of Node for a Vite build of a module that uses a prompt. */
async function viteBuild(cwd: string): Promise<string[]> {
  await writeFile(join(cwd, 'main.js'), `import { prompts } from 'virtual:prompts'\nprompts.a\n`)
  await symlink(join(DIST, '../node_modules'), join(cwd, 'node_modules'))
  const plugin = pathToFileURL(join(DIST, 'vite.js')).href
  const build = `import { build } from 'vite'
import prompts from '${plugin}'
process.env.NODE_ENV = 'production'
await build({ logLevel: 'error', build: { ssr: 'main.js', write: false }, plugins: [prompts()] })`
  return ['--input-type=module', '--eval', build]
}

/** A configuration file as `init` and the documents write it. */
const CONFIG = "import { defineConfig } from 'unplugin-prompts'\nexport default defineConfig({})\n"

function printEnvironment(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

/** An app in which this package is installed without its optional dependencies. */
async function appWithoutOptional(): Promise<string> {
  const root = await installedApp({
    files: { 'main.ts': `import { prompts } from 'virtual:prompts'\n` },
    lock: liveLock({ slug: 'a', system: '{{ name }}' }),
    packages: Object.keys(manifest.dependencies),
  })
  const folder = join(root, 'node_modules/unplugin-prompts')
  await rm(folder)
  await cp(DIST, join(folder, 'dist'), { recursive: true })
  await cp(join(DIST, '../package.json'), join(folder, 'package.json'))
  return root
}

/** A dozen processes on a machine that may be busy. */
const LONG = { timeout: 300_000 }

test('commands work without optional packages, or name the one they need', LONG, async () => {
  const cwd = await appWithoutOptional()
  const cli = join(cwd, 'node_modules/unplugin-prompts/dist/cli.js')
  const env = { PROMPTS_API_KEY: 'svc_live_x', PROMPTS_BASE_URL: 'http://127.0.0.1:9' }
  for (const line of ['generate', 'check --offline', 'show a', 'hold a --reason test', 'list']) {
    const { code, stderr } = await runNode([cli, ...line.split(' ')], cwd)
    expect({ line, code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('✖'),
    })
  }
  for (const [name, ...lines] of [
    ['ts-morph', 'check --offline --impact', 'list --usage', 'edit a --system-file main.ts --yes'],
    ['undici', 'pull'],
    ['yaml', 'serve'],
    ['diff', 'init --yes'],
  ]) {
    const stderr = expect.stringContaining(`[PACKAGE_MISSING] This needs the package ${name}`)
    for (const line of lines) {
      const ended = await runNode([cli, ...line.split(' ')], cwd, env)
      expect({ line, ...ended }).toMatchObject({ code: 1, stderr })
    }
  }
})

test('the page without the optional packages says which one it needs', async () => {
  const cwd = await appWithoutOptional()
  const cli = join(cwd, 'node_modules/unplugin-prompts/dist/cli.js')
  const child = spawn(NODE, [cli, 'ui', '--no-open', '--port', '0', '--json'], { cwd })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(createInterface(child.stdout), 'line')
  const { url } = JSON.parse(line)
  const { status, body } = await ask(`${url}prompts`)
  expect(status).toBe(500)
  expect(body).toMatch(/\[PACKAGE_MISSING\] .*diff/)
})

const TEXT = { slug: 'a', version: 'v1', system: 'Sort {{ ticket }}' }

describe('start-up', () => {
  test('loads few files of this package, and a package only for a configuration in TypeScript', async () => {
    const service = await testService([{ slug: 'a', version: 'v1' }])
    const typed = await pinnedProject(service, { 'prompts.config.ts': CONFIG })
    const plain = await pinnedProject(service, { 'prompts.config.mjs': 'export default {}\n' })
    for (const { line, cwd, packages, most } of [
      { line: '--help', cwd: typed, packages: [], most: 4 },
      { line: 'pull --help', cwd: typed, packages: [], most: 20 },
      { line: 'list', cwd: typed, packages: ['jiti'], most: 9 },
      { line: 'list', cwd: plain, packages: [], most: 9 },
    ]) {
      const urls = await modulesOf([BINARY, ...line.split(' ')], cwd)
      const own = new Set(urls.filter((url) => /^(?!.*node_modules).*\/dist\/[^/]+\.js$/.test(url)))
      expect({ line, packages: packagesIn(urls) }).toEqual({ line, packages })
      expect(own.size).toBeGreaterThan(0)
      expect([...own].slice(most)).toEqual([])
    }
  })

  test('says which Node is needed in an older one, and loads no other file', async () => {
    const cwd = await temporaryFolder()
    const fake = `Object.defineProperty(process, 'versions', { value: { node: '18.20.8' } })`
    const args = ['--import', `data:text/javascript,${fake}`, BINARY, '--help']
    await expect(modulesOf(args, cwd)).rejects.toMatchObject({
      code: 1,
      stderr: 'unplugin-prompts needs Node 20.19 or newer, and this is Node 18.20.8.\n',
    })
    const urls = (await readFile(join(cwd, 'imports.txt'), 'utf8')).split('\n')
    expect(urls.filter((url) => url.includes('/dist/')).length).toBe(1)
  })

  test('loads the code of defineConfig and of errors for a configuration, and no package', async () => {
    const entry = pathToFileURL(join(DIST, 'index.js')).href
    const urls = await modulesOf(['--import', entry, '--eval', '0'], await temporaryFolder())
    expect(new Set(urls.filter((url) => url.includes('/dist/'))).size).toBe(2)
    expect(packagesIn(urls)).toEqual([])
  })

  test('loads three files of this package for a Vite configuration, 63 KB, and no other package', async () => {
    const plugin = pathToFileURL(join(DIST, 'vite.js')).href
    const script = `import(${JSON.stringify(plugin)}).then(({ default: prompts }) => prompts())`
    const urls = await modulesOf(['--eval', script], await temporaryFolder())
    const own = urls.filter((url) => /\/dist\/[^/]+\.js$/.test(url))
    expect(new Set(own).size).toBeLessThanOrEqual(3)
    expect(own).toContain(plugin)
    const sizes = await Promise.all([...new Set(own)].map(async (url) => stat(new URL(url))))
    expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(63_000)
    expect(packagesIn(urls)).toEqual([])
  })

  test('reads the lock once to list it, and a known number of times to generate and build', async () => {
    const cwd = await pinnedProject(await testService([{ slug: 'a', version: 'v1' }]))
    expect(await lockReads([BINARY, 'list'], cwd)).toBe(1)
    // Also to compare it with its sorted form.
    expect(await lockReads([BINARY, 'generate'], cwd)).toBe(2)
    const build = await viteBuild(cwd)
    expect(await lockReads(build, cwd)).toBe(1)
  })

  test('loads five files of this package for a Vite build, 194 KB', async () => {
    const cwd = await pinnedProject(await testService([{ slug: 'a', version: 'v1' }]))
    await run(process.execPath, [BINARY, 'generate'], { cwd })
    const urls = await modulesOf(await viteBuild(cwd), cwd)
    const own = new Set(urls.filter((url) => url.startsWith(`${pathToFileURL(DIST)}/`)))
    expect(own.size).toBe(5)
    const sizes = await Promise.all([...own].map(async (url) => stat(new URL(url))))
    expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(194_000)
  })

  test('loads no TypeScript to pull for the first time, without a change, or a changed text', async () => {
    const service = await testService([TEXT])
    const cwd = await folderWith({
      '.env.local': printEnvironment(service.live),
      'tsconfig.json': '{ "references": [{ "path": "./app" }], "files": [] }',
      'app/tsconfig.json': '{ "include": ["../"] }',
    })
    const pulled = async (): Promise<string[]> => packagesIn(await modulesOf([BINARY, 'pull'], cwd))
    expect(await pulled()).not.toContain('ts-morph')
    expect(await pulled()).not.toContain('ts-morph')
    service.serve({ ...TEXT, version: 'v2', system: 'Sort this: {{ ticket }}' })
    expect(await pulled()).not.toContain('ts-morph')
    expect(await readFile(join(cwd, 'prompts.lock.json'), 'utf8')).toContain('Sort this')
  })

  test('starts no compiler to pull contracts of prompts that no code names', async () => {
    const [text, other] = [TEXT, { ...TEXT, slug: 'b' }]
    const service = await testService([text, other])
    const cwd = await pinnedProject(service, {
      '.env.local': printEnvironment(service.live),
      'tsconfig.json': '{}',
      'main.ts': `import { prompts } from 'virtual:prompts'\nprompts.a.render({ ticket: '' })\n`,
    })
    await run('git', ['init', '--quiet'], { cwd })
    const changed = { version: 'v2', system: 'Sort {{ other }}' }
    service.serve(text, { ...other, ...changed })
    // The analysis runs in a thread, which imports what no recorder sees.
    const logged = async (): Promise<string> => {
      const env = { ...process.env, DEBUG: 'unplugin-prompts:analysis' }
      const pull = [BINARY, 'pull', '--skip-breaking']
      return (await run(process.execPath, pull, { cwd, env })).stderr
    }
    expect(await logged()).not.toContain('type check of')
    expect(await readFile(join(cwd, 'prompts.lock.json'), 'utf8')).toContain('Sort {{ other }}')
    service.serve({ ...text, ...changed }, { ...other, ...changed })
    expect(await logged()).toContain('type check of')
  })

  test('never imports ts-morph: Node would parse all of TypeScript for the names of its exports', async () => {
    const names = (await readdir(DIST)).filter((name) => name.endsWith('.js'))
    const codes = await Promise.all(names.map((name) => readFile(join(DIST, name), 'utf8')))
    expect(codes.some((code) => code.includes('requireFrom(import.meta.url)("ts-morph")'))).toBe(
      true,
    )
    expect(codes.filter((code) => /from ?["']ts-morph["']/.test(code))).toEqual([])
  })

  test('leaves compiled code to the next run if Node has a compile cache', async () => {
    const cwd = await pinnedProject(await testService([{ slug: 'a', version: 'v1' }]))
    const temporary = await temporaryFolder()
    const env = { PATH: process.env['PATH'], TMPDIR: temporary }
    const question = `process.stdout.write(String('enableCompileCache' in require('node:module')))`
    const { stdout: known } = await run(NODE, ['--eval', question])
    await run(NODE, [BINARY, 'generate'], { cwd, env })
    expect(await readdir(temporary)).toEqual(known === 'true' ? ['node-compile-cache'] : [])
  })
})

const ESM = '{ "type": "module" }'

// As Node itself imports it, which Vitest does not let it do.
test.each([
  ["JSON.parse('{')", 'js'],
  ["throw Object.assign(new Error('no'), { code: 'ERR_OWN' })", 'ts'],
  ["await import('not-installed')", 'mjs'],
  ['throw undefined', 'ts'],
])('a configuration file runs once if it throws by %s in %s', async (line, type) => {
  const count = `import { appendFileSync } from 'node:fs'\nappendFileSync('runs.txt', 'x')\n`
  const config = `${count}${line}\nexport default {}\n`
  const cwd = await folderWith({ 'package.json': ESM, [`prompts.config.${type}`]: config })
  const { code, stderr } = await runBinary(['list'], { cwd })
  expect(code).toBe(1)
  expect(stderr).toContain('[CONFIG_UNREADABLE]')
  expect(await readFile(join(cwd, 'runs.txt'), 'utf8')).toBe('x')
})

test('a command in a folder that was deleted says so', async () => {
  const line = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" list'
  const cwd = await temporaryFolder()
  const failure = run('sh', ['-c', line, process.execPath, BINARY], { cwd })
  await expect(failure).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('[USAGE] The working directory was deleted'),
  })
})
