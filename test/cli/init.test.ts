import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bundlers } from '../../src/features/init/bundlers.ts'
import { installTypes } from '../helpers/app-folder.ts'
import { filesIn, folderWith, prompts, transcript } from '../helpers/cli.ts'
import { git } from '../helpers/git-repository.ts'
import { testService } from '../helpers/local-service.ts'
import { liveLock, lockText } from '../helpers/pinned.ts'
import packageManifest from '../../package.json' with { type: 'json' }

const CONFIG = `import { defineConfig } from 'vite'\n\nexport default defineConfig({\n  plugins: [],\n})\n`

/** A project that builds with Vite and depends on this package. */
function viteFiles(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const dependencies = { vite: '^8', 'unplugin-prompts': '*' }
  return {
    'package.json': `${JSON.stringify({ scripts: { dev: 'vite' }, dependencies }, undefined, 2)}\n`,
    'vite.config.ts': CONFIG,
    '.gitignore': 'node_modules\n',
    ...more,
  }
}

/** The manifest of a project with these packages and this one. */
function manifest(dependencies: Readonly<Record<string, string>>, more: object = {}): string {
  return JSON.stringify({ ...more, devDependencies: { ...dependencies, 'unplugin-prompts': '*' } })
}

/** A project with these packages, this one and these files. */
function app(
  dependencies: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return { 'package.json': manifest(dependencies), ...files }
}

describe('prompts init', () => {
  test('adds plugin, variables and ignored file, and says what to do without a key', async () => {
    const cwd = await folderWith(viteFiles())
    const run = await prompts(['init', '--yes'], { cwd })
    expect(run.code).toBe(0)
    expect(run.stdout).toContain('\n    npx prompts pull\n    npx prompts init --example\n')
    expect(run.stderr).toContain('\n→ Set PROMPTS_BASE_URL and PROMPTS_API_KEY in .env.local')
    expect(run.stderr).toContain('\n→ No account yet? Begin with an example on this machine:\n')
    const files = await filesIn(cwd)
    expect(files).toMatchObject({
      'vite.config.ts': expect.stringContaining('plugins: [prompts()],'),
      '.env.example': expect.stringMatching(/^PROMPTS_API_KEY=$/m),
      '.gitignore': 'node_modules\n.env.local\nprompts.d.ts.map\n',
    })
    const dry = await prompts(['init', '--dry-run', '--json'], { cwd })
    expect(dry.json).toMatchObject({ applied: false, changes: [] })
  })

  test('adds no variables of the built-in service to an app with the option service', async () => {
    const service = "{ name: 'own', secrets: ['OWN_KEY'], list: () => [], get: () => ({}) }"
    const config = `export default { service: ${service} }\n`
    const cwd = await folderWith(viteFiles({ 'prompts.config.mjs': config }))
    await prompts(['init', '--yes'], { cwd })
    expect(Object.keys(await filesIn(cwd))).not.toContain('.env.example')
  })

  test('writes nothing with --dry-run, and off a terminal without --yes', async () => {
    const cwd = await folderWith(viteFiles())
    const before = await filesIn(cwd)
    const dry = await prompts(['init', '--dry-run'], { cwd })
    expect(dry.code).toBe(0)
    expect(transcript(dry, cwd)).toMatchSnapshot('dry')
    const unasked = await prompts(['init'], { cwd })
    expect(unasked).toMatchObject({ code: 3, stderr: expect.stringContaining('pass --yes') })
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('pulls at the end when there is a key, writes it nowhere, and then changes nothing', async () => {
    const { live: env } = await testService([{ slug: 'a', version: 'v1' }])
    const cwd = await folderWith(viteFiles())
    const run = await prompts(['init', '--yes'], { cwd, env })
    expect(transcript(run, cwd)).toMatchSnapshot('pulled')
    const files = await filesIn(cwd)
    expect(Object.keys(files)).toContain('prompts.lock.json')
    expect(JSON.stringify(files)).not.toContain('svc_live_local')
    const again = await prompts(['init'], { cwd, env })
    expect(again).toStrictEqual({
      code: 0,
      stdout: '',
      stderr: 'Found Vite\n\n✔ Every file is set up.\n',
    })
    expect(await filesIn(cwd)).toStrictEqual(files)
  })

  const VITE = { vite: '^8' }
  const WEBPACK = { webpack: '5' }
  const DTS = { 'prompts.config.json': '{ "dts": "src/prompts.d.ts" }\n' }
  const PLUGIN = expect.stringContaining('plugins: [prompts()]')
  const NEXT = 'export default withPrompts({})\n'
  const SRC = '{ "include": ["src"] }'
  const NUXT = "export default defineNuxtConfig({\n  modules: ['@nuxt/ui'],\n})\n"
  const ASTRO = `import { defineConfig } from 'astro/config'\n\nexport default defineConfig({ site: 'https://a.com' })\n`

  const PROJECTS = `export default { test: { projects: [{ test: { name: 'unit' } }] } }\n`
  const MERGED = `import { mergeConfig } from 'vitest/config'\nimport own from './vite.config'\nexport default mergeConfig(own, {})\n`

  /** Files of a project, and what is in its files afterwards; `undefined` for none. */
  test.each<[string, Record<string, string>, Record<string, unknown>]>([
    ...[
      { config: 'vite.config.ts', type: 'module', files: { 'tsconfig.json': '{}' } },
      { config: 'vite.config.mts', type: 'commonjs', files: { 'tsconfig.json': '{}' } },
      { config: 'vite.config.mjs', type: 'commonjs', files: {} },
    ].map(({ config, type, files }): [string, Record<string, string>, Record<string, unknown>] => [
      `creates ${config} for an app of create-vite without a configuration`,
      { 'package.json': manifest(VITE, { type }), 'index.html': '', ...files },
      { [config]: PLUGIN },
    ]),
    [
      'puts the declarations where tsconfig.json includes them',
      viteFiles({ 'tsconfig.json': SRC, 'src/main.ts': '' }),
      DTS,
    ],
    [
      'puts the declarations where a framework will see them, before its tsconfig is made',
      app(
        { '@sveltejs/kit': '2' },
        {
          'vite.config.ts': CONFIG,
          'tsconfig.json': '{ "extends": "./.svelte-kit/tsconfig.json" }',
        },
      ),
      DTS,
    ],
    [
      'adds the module to a Nuxt app by its name, and no import',
      app({ nuxt: '4' }, { 'nuxt.config.ts': NUXT, 'tsconfig.json': '{ "files": [] }' }),
      {
        'nuxt.config.ts': NUXT.replace('[', "['unplugin-prompts/nuxt', "),
        'prompts.config.json': undefined,
      },
    ],
    [
      'adds the integration to an Astro app',
      app({ astro: '7' }, { 'astro.config.mjs': ASTRO, 'tsconfig.json': SRC, 'src/env.ts': '' }),
      {
        'astro.config.mjs': `import prompts from 'unplugin-prompts/astro'\n${ASTRO.replace(
          '{ site',
          '{ integrations: [prompts()], site',
        )}`,
        'prompts.config.json': undefined,
      },
    ],
    [
      'names the address and the key in .env.example, and keeps what is there',
      viteFiles({ '.env.example': 'OTHER=1\n# PROMPTS_API_KEY=' }),
      {
        '.env.example': expect.stringMatching(
          /^OTHER=1\n# PROMPTS_API_KEY=\n\n# .*\nPROMPTS_BASE_URL=\n$/,
        ),
      },
    ],
    [
      'wraps the configuration of Next.js',
      app({ next: '16' }, { 'next.config.ts': 'export default {}\n', 'tsconfig.json': '{}' }),
      {
        'next.config.ts': `import withPrompts from 'unplugin-prompts/next'\n\n${NEXT}`,
        'prompts.config.json': undefined,
      },
    ],
    [
      'creates a configuration for Next.js in JavaScript',
      app({ next: '16' }),
      { 'next.config.mjs': expect.stringContaining(NEXT) },
    ],
    [
      'creates a configuration for Next.js in TypeScript',
      app({ next: '16' }, { 'tsconfig.json': '{}' }),
      { 'next.config.ts': expect.stringContaining(NEXT) },
    ],
    [
      'adds the plugin to the configuration of Vitest if nothing else builds the app',
      app({ vitest: '5' }, { 'vitest.config.ts': CONFIG.replace("'vite'", "'vitest/config'") }),
      { 'vitest.config.ts': PLUGIN },
    ],
    [
      'adds the plugin to the configurations of Vite and of Vitest, which reads only its own',
      app(
        { vite: '8', vitest: '5' },
        {
          'vite.config.ts': CONFIG,
          'vitest.config.ts': CONFIG.replace("'vite'", "'vitest/config'"),
        },
      ),
      { 'vite.config.ts': PLUGIN, 'vitest.config.ts': PLUGIN },
    ],
    [
      'adds the plugin to the configuration of Vitest in an app of Next.js',
      app({ next: '16', vitest: '5' }, { 'vitest.config.mts': CONFIG }),
      { 'vitest.config.mts': PLUGIN },
    ],
    [
      'lets the projects of Vitest inherit the plugin',
      app({ vite: '8', vitest: '5' }, { 'vite.config.ts': PROJECTS }),
      {
        'vite.config.ts': expect.stringMatching(
          /^import prompts [^]*plugins: \[prompts\(\)\], test: \{ projects: \[\{ extends: true, test/,
        ),
      },
    ],
    [
      'adds the plugin to the configuration that Vite reads of two',
      viteFiles({ 'vite.config.js': CONFIG }),
      { 'vite.config.js': PLUGIN, 'vite.config.ts': CONFIG },
    ],
    [
      'leaves a configuration of Vitest alone that loads that of Vite',
      app(
        { vite: '8', vitest: '5' },
        {
          'vite.config.ts': CONFIG,
          'vitest.config.ts': MERGED,
        },
      ),
      { 'vite.config.ts': PLUGIN, 'vitest.config.ts': MERGED },
    ],
    [
      'finds Vite by its configuration, where only the root of a monorepo depends on it',
      {
        'package.json': manifest({}, { scripts: { build: 'vite build' } }),
        'vite.config.mts': CONFIG,
      },
      { 'vite.config.mts': PLUGIN },
    ],
    [
      'adds the declarations to the tsconfig of a server of its own',
      viteFiles({
        'tsconfig.json':
          '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./tsconfig.node.json" }, { "path": "./tsconfig.server.json" }] }',
        'tsconfig.app.json': SRC,
        'tsconfig.node.json': '{ "include": ["vite.config.ts"] }',
        'tsconfig.server.json': '{\n  // Node\n  "include": ["server"]\n}\n',
        'src/main.ts': '',
        'server/api.ts': '',
      }),
      {
        ...DTS,
        'tsconfig.app.json': SRC,
        'tsconfig.node.json': '{ "include": ["vite.config.ts"] }',
        'tsconfig.server.json': '{\n  // Node\n  "include": ["src/prompts.d.ts", "server"]\n}\n',
      },
    ],
  ])('%s', async (_, files, expected) => {
    const cwd = await folderWith(files)
    expect(await prompts(['init', '--yes'], { cwd })).toMatchObject({ code: 0 })
    const written = await filesIn(cwd)
    const names = Object.keys(expected)
    expect(Object.fromEntries(names.map((name) => [name, written[name]]))).toEqual(expected)
    const { json } = await prompts(['init', '--json'], { cwd })
    expect(json).toMatchObject({ changes: [] })
  })

  const ADD = '    plugins: [prompts()],\n'
  const REQUIRE = `const prompts = require('unplugin-prompts/webpack').default\n${ADD}`
  const IMPORT = `import prompts from 'unplugin-prompts/webpack'\n${ADD}`
  const LIST = 'module.exports = [{}, {}]\n'
  const FUNCTION = 'export default function config() {\n  return {}\n}\n'
  const PNPM = { 'package.json': '{}', 'pnpm-workspace.yaml': 'packages: [apps/*]' }

  test.each<[string, Record<string, string>, string]>([
    ['webpack in CommonJS', app(WEBPACK, { 'webpack.config.cjs': LIST }), REQUIRE],
    ['webpack in JavaScript', app(WEBPACK, { 'webpack.config.js': LIST }), REQUIRE],
    [
      'webpack in a module',
      app(WEBPACK, { 'webpack.config.mjs': 'export default [{}]\n' }),
      IMPORT,
    ],
    ['webpack in TypeScript', app(WEBPACK, { 'webpack.config.ts': 'export = [{}]\n' }), IMPORT],
    ['Vite that may only serve Vitest', app(VITE), ADD],
    [
      'Nuxt',
      app({ nuxt: '4' }, { 'nuxt.config.ts': 'export = x\n' }),
      "['unplugin-prompts/nuxt'],",
    ],
    ['Next.js', app({ next: '16' }, { 'next.config.mjs': FUNCTION }), ' withPrompts(nextConfig)'],
    ['Bun', app({ '@types/bun': '*' }), 'unplugin-prompts/bun'],
    [
      'wrangler',
      app({ wrangler: '4' }, { 'wrangler.jsonc': '{}', 'src/index.ts': '' }),
      'all": "./src/prompts/all.js",\n      "virtual:prompts/staging": "./src/prompts/staging/index.js"\n',
    ],
    [
      'wrangler in TOML',
      app({ wrangler: '4' }, { 'wrangler.toml': '' }),
      '[alias]\n    "virtual:prompts" = "./generated/prompts/index.js"\n',
    ],
    [
      'a server beside Vite',
      {
        ...viteFiles(),
        'package.json': manifest(VITE, { scripts: { 'api:dev': 'tsx watch server/index.ts' } }),
      },
      '    "api:dev": "tsx watch --import unplugin-prompts/register server/index.ts"\n',
    ],
    [
      'a server whose script has the same words elsewhere',
      {
        ...viteFiles(),
        'package.json': manifest(VITE, {
          scripts: { dev: 'tsc -p node_modules/a; node server.js' },
        }),
      },
      '    "dev": "tsc -p node_modules/a; node --import unplugin-prompts/register server.js"\n',
    ],
    ['a monorepo of npm', { 'package.json': '{ "workspaces": ["apps/*"] }' }, 'prompts init\n'],
    ['a monorepo of pnpm', PNPM, 'prompts init\n'],
    ['the root of pnpm', { ...PNPM, 'pnpm-lock.yaml': '' }, 'pnpm add -wD unplugin-p'],
    [
      'the root of yarn 1',
      { 'package.json': '{ "workspaces": ["apps/*"] }', 'yarn.lock': '' },
      'yarn add -W -D unplugin-p',
    ],
    [
      'the root of yarn 4',
      { 'package.json': '{ "workspaces": [], "packageManager": "yarn@4.9.0" }' },
      'yarn add -D unplugin-p',
    ],
    [
      'a configuration',
      app({}, { 'prompts.config.ts': 'export default {}' }),
      "    outDir: 'prompts'",
    ],
  ])('shows what a person has to do for %s', async (_, files, lines) => {
    const cwd = await folderWith(files)
    const { stdout } = await prompts(['init', '--yes', '--no-install'], { cwd })
    expect(stdout).toContain(lines)
    const left = Object.entries(files).filter(([name]) => /^(?:webpack|nuxt|next)\./.test(name))
    expect(await filesIn(cwd)).toMatchObject(Object.fromEntries(left))
  })

  test('says what a person has to do for .env.example if git ignores it, which a tracked file is not', async () => {
    const cwd = await folderWith(viteFiles({ '.gitignore': '.env*\n' }))
    git(cwd, 'init', '--quiet')
    const advice = '    !.env.example\n'
    expect((await prompts(['init', '--dry-run'], { cwd })).stdout).toContain(advice)
    await writeFile(join(cwd, '.env.example'), 'OTHER=\n')
    git(cwd, 'add', '--force', '.env.example')
    expect((await prompts(['init', '--dry-run'], { cwd })).stdout).not.toContain(advice)
  })

  test('keeps the byte order mark and the line ends of a file', async () => {
    const text = '\uFEFFexport default {\r\n\tplugins: [],\r\n}\r\n'
    const cwd = await folderWith(viteFiles({ 'vite.config.ts': text }))
    await prompts(['init', '--yes'], { cwd })
    const line = "import prompts from 'unplugin-prompts/vite'\r\n\r\n"
    const edited = text.replace('\uFEFF', `\uFEFF${line}`).replace('[]', '[prompts()]')
    expect(await readFile(join(cwd, 'vite.config.ts'), 'utf8')).toBe(edited)
  })

  test('writes declarations again where TypeScript sees them', async () => {
    const { live: env } = await testService([{ slug: 'a', version: 'v1' }])
    const cwd = await folderWith(viteFiles({ 'src/main.ts': '' }))
    await prompts(['pull'], { cwd, env })
    await writeFile(join(cwd, 'tsconfig.json'), '{ "include": ["src"] }')
    await installTypes(cwd)
    await prompts(['init', '-y'], { cwd, env })
    expect((await filesIn(cwd))['src/prompts.d.ts']).toContain('declare module "virtual:prompts"')
  })

  test('leaves a broken package.json alone', async () => {
    const broken = { 'package.json': '{ "scripts": ' }
    const cwd = await folderWith(broken)
    expect(await prompts(['init', '-y', '--no-install'], { cwd })).toMatchObject({ code: 0 })
    expect(await filesIn(cwd)).toMatchObject(broken)
  })

  test('calls no file set up that somebody still has to edit', async () => {
    const cwd = await folderWith(
      viteFiles({ 'vite.config.ts': 'export default mergeConfig(a, b)\n' }),
    )
    await prompts(['init', '--yes'], { cwd })
    const { code, stderr } = await prompts(['init'], { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Add the plugin') })
    expect(stderr).not.toContain('set up')
  })

  test.each([
    "import prompts from 'unplugin-prompts/vite'\nexport default { plugins: [/* prompts() */] }\n",
    "import prompts from 'unplugin-prompts/vite'\nexport default { plugins: [isDev && prompts()] }\n",
    `import prompts from 'unplugin-prompts/vite'\nexport default { plugins: [prompts()], test: { projects: ['apps/*'] } }\n`,
  ])('says that it did not look at a form which it does not read: %j', async (config) => {
    const files = { ...app({ vite: '8', vitest: '5' }), 'vite.config.ts': config }
    const cwd = await folderWith(files)
    await prompts(['init', '--yes'], { cwd })
    const { code, stderr } = await prompts(['init'], { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Not looked at') })
    expect(stderr).not.toContain('set up')
    expect((await filesIn(cwd))['vite.config.ts']).toBe(config)
  })

  test('names no server for a script that runs what a build wrote', async () => {
    const scripts = { start: 'node build/index.js', dev: 'NODE_ENV=x node ./dist/a.js' }
    const files = { ...viteFiles(), 'package.json': manifest(VITE, { scripts }) }
    const { stdout } = await prompts(['init', '--dry-run'], { cwd: await folderWith(files) })
    expect(stdout).not.toContain('--import')
  })

  test('shows what is to be done by hand also where the first pull fails', async () => {
    const cwd = await folderWith(app(VITE))
    const env = { PROMPTS_BASE_URL: 'http://127.0.0.1:1', PROMPTS_API_KEY: 'svc_live_x y' }
    const run = await prompts(['init', '-y'], { cwd, env })
    expect(run.code).toBe(1)
    expect(transcript(run, cwd)).toMatchSnapshot('failed')
  })

  test('takes the bundler that it is told, and knows a project without one', async () => {
    const cwd = await folderWith({ 'package.json': '{}' })
    const none = await prompts(['init', '--dry-run'], { cwd })
    expect(transcript(none, cwd)).toMatchSnapshot('none')
    const told = await prompts(['init', '--dry-run', '--bundler', 'rollup'], { cwd })
    expect(transcript(told, cwd)).toMatchSnapshot('told')
  })
})

describe('prompts init with a bundler that is too old', () => {
  test.each([
    { name: 'vite', version: '5.4.19', title: 'Vite' },
    { name: 'webpack', version: '5.73.10', title: 'webpack' },
    { name: 'next', version: '15.4.11', title: 'Next.js' },
  ])('writes nothing, and names the way without a plugin: $name $version', async (bundler) => {
    const { name, version, title } = bundler
    const cwd = await folderWith({
      'package.json': JSON.stringify({ dependencies: { [name]: version } }),
      [`${name}.config.js`]: 'module.exports = {}\n',
      [`node_modules/${name}/package.json`]: JSON.stringify({ name, version }),
    })
    const before = await filesIn(cwd)
    const run = await prompts(['init', '--yes', '--example', '--json'], { cwd })
    const why = `${title} ${version} is not supported.`
    const fix = expect.stringMatching(/"outDir": "prompts".*setup\/tsc\.md/)
    const error = { code: 'BUNDLER_UNSUPPORTED', why, fix }
    expect(run).toMatchObject({ code: 1, json: { error } })
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('finds it by the versions in package.json', () => {
    const lowest = bundlers.flatMap(({ dependency, lowest: version, name }) =>
      version === undefined || name === 'vitest'
        ? []
        : [[dependency, expect.stringMatching(new RegExp(`^>=${version}(?: |$)`))]],
    )
    expect(packageManifest.peerDependencies).toMatchObject(Object.fromEntries(lowest))
  })
})

test('prompts init reads files in another encoding than UTF-8, and leaves their edits to a person', async () => {
  const cwd = await folderWith(app({ vite: '^8' }, { 'tsconfig.json': '{ "include": ["src"] }' }))
  const files = {
    'tsconfig.server.json': Buffer.from('// Gr\xfc\xdfe\n{ "include": ["server"] }\n', 'latin1'),
    'vite.config.ts': Buffer.from('// Gr\xfc\xdfe\nexport default {}\n', 'latin1'),
  }
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(cwd, name), bytes)
  const { code, json } = await prompts(['init', '--yes', '--no-install', '--json'], { cwd })
  expect({ code, json }).toMatchObject({ code: 0, json: { applied: true } })
  for (const [name, bytes] of Object.entries(files)) {
    expect(JSON.stringify(json.manual)).toContain(name)
    expect(await readFile(join(cwd, name))).toEqual(bytes)
  }
})

describe('prompts init with only a test key', () => {
  const STAGED = { slug: 'a', version: 'v1', staging: { version: 'v2' } }

  test.each([
    ['with a bundler', app({ vite: '^8' }), '{ "environment": "test" }\n'],
    [
      'without one',
      { 'package.json': '{}' },
      '{ "outDir": "prompts", "dts": false, "environment": "test" }\n',
    ],
  ])('writes which view an app %s gets', async (_, files, config) => {
    const service = await testService([STAGED])
    const { PROMPTS_BASE_URL = '', PROMPTS_TEST_API_KEY = '' } = service.test
    const cwd = await folderWith(files)
    const access = ['--base-url', PROMPTS_BASE_URL, '--api-key', PROMPTS_TEST_API_KEY]
    const run = await prompts(['init', '--yes', '--no-install', '--json', ...access], { cwd })
    expect(run).toMatchObject({ code: 0, json: { pulled: { environment: 'test' } } })
    expect((await filesIn(cwd))['prompts.config.json']).toBe(config)
  })

  test('reads the env files of the mode that its pull reads', async () => {
    const { test: env } = await testService([STAGED])
    const text = Object.entries(env).map(([name, value]) => `${name}=${value}\n`)
    const cwd = await folderWith({ ...app({ vite: '^8' }), '.env.staging': text.join('') })
    const args = ['init', '--yes', '--no-install', '--json', '--mode', 'staging']
    expect(await prompts(args, { cwd })).toMatchObject({
      code: 0,
      json: { pulled: { prompts: 1 } },
    })
  })

  test.each([
    ['there is a lock', { 'prompts.lock.json': lockText(liveLock({ slug: 'a' })) }, {}],
    ['a variable says it', {}, { PROMPTS_ENVIRONMENT: 'live' }],
    ['there is a live key, too', { '.env': 'PROMPTS_API_KEY=svc_live_a\n' }, {}],
  ])('leaves that alone if %s', async (_, files, variables) => {
    const service = await testService([STAGED])
    const cwd = await folderWith({ ...app({ vite: '^8' }), ...files })
    const env = { ...service.test, ...variables }
    await prompts(['init', '--yes', '--no-install', '--json'], { cwd, env })
    expect(await filesIn(cwd)).not.toHaveProperty('prompts.config.json')
  })
})

describe('prompts init for an app without a bundler', () => {
  test.each([
    {
      title: 'TypeScript in src',
      files: { 'tsconfig.json': '{ "include": ["src"] }', 'src/main.ts': '' },
      load: "import { prompts } from '../prompts/index.js'",
    },
    {
      title: 'TypeScript whose tsconfig includes the root',
      files: { 'tsconfig.json': '{}', 'src/main.ts': '' },
      load: "import { prompts } from '../prompts/index.js'",
    },
    {
      title: 'JavaScript in the root',
      files: { 'app.js': '' },
      load: "const { prompts } = require('./prompts/index.js')",
    },
  ])('sets up real files for $title', async ({ files, load }) => {
    const { live: env } = await testService([{ slug: 'a', version: 'v1', user: '{{ b }}' }])
    const cwd = await folderWith({ 'package.json': manifest({}), ...files })
    const { code, stdout } = await prompts(['init', '--yes'], { cwd, env })
    expect(code).toBe(0)
    expect(stdout).toContain(`    ${load}\n`)
    const names = Object.keys(await filesIn(cwd))
    expect(names).toEqual(expect.arrayContaining(['prompts.config.json', 'prompts/index.js']))
    expect(names).not.toContain('prompts.d.ts')
    const { json } = await prompts(['init', '--yes', '--json'], { cwd, env })
    expect(json).toMatchObject({ changes: [], manual: [] })
  })

  test('does not pull before somebody has set the folder in a configuration that is there', async () => {
    const { live: env } = await testService([{ slug: 'a', version: 'v1' }])
    const config = { 'prompts.config.json': '{ "include": "*" }' }
    const cwd = await folderWith({ 'package.json': manifest({}), ...config })
    const run = await prompts(['init', '--yes'], { cwd, env })
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('→ Then:') })
    expect(run.stdout).toContain("    outDir: 'prompts',\n    dts: false,\n    npx prompts pull\n")
    expect(Object.keys(await filesIn(cwd))).not.toContain('prompts.lock.json')
    const set = '{ "outDir": "lib/prompts", "dts": false }'
    await writeFile(join(cwd, 'prompts.config.json'), set)
    const again = await prompts(['init', '--yes'], { cwd, env })
    expect(again.stdout).toContain("    const { prompts } = require('./lib/prompts/index.js')\n")
    expect(Object.keys(await filesIn(cwd))).toContain('lib/prompts/index.js')
  })

  test.each([
    ['{ "include": ["src"] }', '"outDir": "prompts", "dts": "src/prompts.d.ts"', 'prompts'],
    ['{}', '"outDir": "src/prompts"', 'src/prompts'],
  ])(
    'gives a Worker a folder that each pull updates, with %s',
    async (tsconfig, options, folder) => {
      const { live: env } = await testService([{ slug: 'a', version: 'v1' }])
      const cwd = await folderWith({
        'package.json': manifest({ wrangler: '4', vitest: '5' }, { type: 'module' }),
        'wrangler.jsonc': '{}',
        'tsconfig.json': tsconfig,
        'src/index.ts': '',
      })
      const run = await prompts(['init', '--yes', '--json'], { cwd, env })
      expect(run.json).toMatchObject({ bundler: 'wrangler' })
      const files = await filesIn(cwd)
      expect(files['prompts.config.json']).toBe(`{ ${options} }\n`)
      expect(files[`${folder}/index.js`]).toContain('export')
      // The aliases are a step only as long as they are not there.
      const lines = run.json.manual.flatMap((step: { lines: string[] }) => step.lines)
      expect(lines.join('')).toContain(`./${folder}/index.js`)
      await writeFile(join(cwd, 'wrangler.jsonc'), `{\n${lines.join('\n')}\n}`)
      const again = await prompts(['init', '--yes', '--json'], { cwd, env })
      expect(again.json).toMatchObject({ changes: [], manual: [] })
    },
  )
})
