import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bundlers } from '../../src/features/init/bundlers.ts'
import { filesIn, folderWith, prompts, transcript } from '../helpers/cli.ts'
import { testService } from '../helpers/local-service.ts'

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

describe('prompts init', () => {
  test('adds plugin, scripts, variables and ignored file, and says what to do without a key', async () => {
    const cwd = await folderWith(viteFiles())
    const run = await prompts(['init', '--yes'], { cwd })
    expect(run.code).toBe(0)
    expect(run.stdout).toMatchInlineSnapshot(`
      "~ update   .gitignore       .env.local and prompts.d.ts.map
      ~ update   vite.config.ts   the plugin
      ~ update   package.json     scripts prompts:pull, prompts:check
      + create   .env.example     PROMPTS_BASE_URL and PROMPTS_API_KEY, empty
          npx prompts pull
          npx prompts init --example
      "
    `)
    expect(run.stderr).toMatchInlineSnapshot(`
      "Found Vite


      --- a/.gitignore
      +++ b/.gitignore
      @@ -1,1 +1,3 @@
       node_modules
      +.env.local
      +prompts.d.ts.map

      --- a/vite.config.ts
      +++ b/vite.config.ts
      @@ -1,5 +1,6 @@
       import { defineConfig } from 'vite'
      +import prompts from 'unplugin-prompts/vite'
       
       export default defineConfig({
      -  plugins: [],
      +  plugins: [prompts()],
       })

      --- a/package.json
      +++ b/package.json
      @@ -1,6 +1,8 @@
       {
         "scripts": {
      -    "dev": "vite"
      +    "dev": "vite",
      +    "prompts:pull": "prompts pull",
      +    "prompts:check": "prompts check"
         },
         "dependencies": {
           "vite": "^8",

      --- /dev/null
      +++ b/.env.example
      @@ -0,0 +1,4 @@
      +# Address of the prompt service
      +PROMPTS_BASE_URL=
      +# Key of the prompt service: svc_live_… or svc_test_… Builds with a lock do not need it.
      +PROMPTS_API_KEY=

      ✔ Wrote 4 files.

      → Set PROMPTS_BASE_URL and PROMPTS_API_KEY in .env.local (see .env.example). Then:

      → No account yet? Begin with an example on this machine:
      "
    `)
    const files = await filesIn(cwd)
    expect(files['vite.config.ts']).toContain("import prompts from 'unplugin-prompts/vite'\n")
    expect(files['vite.config.ts']).toContain('plugins: [prompts()],')
    expect(JSON.parse(files['package.json'] ?? '')).toMatchObject({
      scripts: { dev: 'vite', 'prompts:pull': 'prompts pull', 'prompts:check': 'prompts check' },
    })
    expect(files['.env.example']).toMatch(/^PROMPTS_API_KEY=$/m)
    expect(files['.gitignore']).toBe('node_modules\n.env.local\nprompts.d.ts.map\n')
  })

  test.each([
    { type: 'module', more: { 'tsconfig.json': '{}' }, want: 'vite.config.ts' },
    { type: 'commonjs', more: { 'tsconfig.json': '{}' }, want: 'vite.config.mts' },
    { type: 'module', more: {}, want: 'vite.config.js' },
    { type: 'commonjs', more: {}, want: 'vite.config.mjs' },
  ])(
    'creates $want for a template of create-vite without a configuration',
    async ({ type, more, want }) => {
      const devDependencies = { vite: '^8', 'unplugin-prompts': '*' }
      const manifest = JSON.stringify({ type, devDependencies })
      const cwd = await folderWith({ 'package.json': manifest, 'index.html': '', ...more })
      const run = await prompts(['init', '--yes'], { cwd })
      expect(run.code).toBe(0)
      expect((await filesIn(cwd))[want]).toContain('plugins: [prompts()],')
      const again = await prompts(['init', '--json'], { cwd })
      expect(JSON.parse(again.stdout)).toMatchObject({ changes: [] })
    },
  )

  test('creates no Vite configuration where Vite may only serve Vitest', async () => {
    const cwd = await folderWith(viteFiles())
    await rm(join(cwd, 'vite.config.ts'))
    const run = await prompts(['init', '--yes'], { cwd })
    expect(transcript(run, cwd)).toMatchSnapshot()
    expect(Object.keys(await filesIn(cwd)).filter((name) => name.startsWith('vite'))).toEqual([])
  })

  test('reports that git ignores .env.example', async () => {
    const cwd = await folderWith(viteFiles({ '.gitignore': '.env*\n' }))
    const run = await prompts(['init', '--yes'], { cwd })
    expect(transcript(run, cwd)).toMatchSnapshot()
  })

  test('shows every line that it writes, with no command in it changed', async () => {
    const cwd = await folderWith(viteFiles({ 'pnpm-lock.yaml': '' }))
    const { stderr } = await prompts(['init', '--yes', '--example'], { cwd })
    const example = (await filesIn(cwd))['prompts.workspace.yaml'] ?? ''
    expect(example).toContain('`prompts ')
    const lines = example.trimEnd().split('\n')
    expect(stderr).toContain(lines.map((line) => `+${line}\n`).join(''))
  })

  test('changes nothing when it runs again', async () => {
    const { live: env } = await testService([{ slug: 'a', version: 'v1' }])
    const cwd = await folderWith(viteFiles())
    await prompts(['init', '--yes'], { cwd, env })
    const before = await filesIn(cwd)
    const run = await prompts(['init'], { cwd, env })
    expect(run).toMatchObject({ code: 0, stdout: '' })
    expect(transcript(run, cwd)).toMatchSnapshot()
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('pulls at the end when there is a key, and writes that key nowhere', async () => {
    const { live: env } = await testService([{ slug: 'a', version: 'v1' }])
    const cwd = await folderWith(viteFiles())
    const run = await prompts(['init', '--yes'], { cwd, env })
    expect(transcript(run, cwd)).toMatchSnapshot()
    const files = await filesIn(cwd)
    expect(Object.keys(files)).toContain('prompts.lock.json')
    expect(JSON.stringify(files)).not.toContain('svc_live_local')
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

  test('applies nothing with --dry-run in an app that is set up', async () => {
    const cwd = await folderWith(viteFiles())
    await prompts(['init', '--yes', '--example'], { cwd })
    const run = await prompts(['init', '--dry-run', '--json'], { cwd })
    expect(JSON.parse(run.stdout)).toMatchObject({ applied: false, changes: [] })
  })

  const REQUIRE = "const prompts = require('unplugin-prompts/webpack').default"
  const IMPORT = "import prompts from 'unplugin-prompts/webpack'"

  test.each([
    { file: 'webpack.config.cjs', config: 'module.exports = [{}, {}]\n', load: REQUIRE },
    { file: 'webpack.config.js', config: 'module.exports = [{}, {}]\n', load: REQUIRE },
    { file: 'webpack.config.mjs', config: 'export default [{}, {}]\n', load: IMPORT },
    { file: 'webpack.config.ts', config: "import x from 'x'\nexport = x\n", load: IMPORT },
  ])(
    'shows the lines to add where an edit is not safe, for $file in its own kind of module',
    async ({ file, config, load }) => {
      const cwd = await folderWith({
        'package.json': '{ "devDependencies": { "webpack": "5", "unplugin-prompts": "*" } }',
        [file]: config,
      })
      const run = await prompts(['init', '-y'], { cwd })
      expect(run.stderr).toContain(file)
      expect(run.stdout).toContain(`    ${load}\n    plugins: [prompts()],\n`)
      expect(await readFile(join(cwd, file), 'utf8')).toBe(config)
    },
  )

  test('says how the package is installed in a monorepo, whose lock file is above', async () => {
    const cwd = await folderWith({ 'pnpm-lock.yaml': '', 'packages/app/package.json': '{}' })
    const run = await prompts(['init', '-y', '--no-install', '--root', 'packages/app'], { cwd })
    expect(run.stdout).toContain('pnpm add -D unplugin-prompts')
  })

  test('puts the declarations where tsconfig.json includes them', async () => {
    const tsconfig = { 'tsconfig.json': '{ "include": ["src"] }', 'src/main.ts': '' }
    const cwd = await folderWith(viteFiles(tsconfig))
    await prompts(['init', '-y'], { cwd })
    expect(await readFile(join(cwd, 'prompts.config.ts'), 'utf8')).toContain(
      "dts: 'src/prompts.d.ts'",
    )
  })

  test('moves declarations that are there to where TypeScript sees them', async () => {
    const { live: env } = await testService([{ slug: 'a', version: 'v1' }])
    const cwd = await folderWith(viteFiles({ 'src/main.ts': '' }))
    await prompts(['pull'], { cwd, env })
    await writeFile(join(cwd, 'tsconfig.json'), '{ "include": ["src"] }')
    await mkdir(join(cwd, 'node_modules'))
    await symlink(resolve(import.meta.dirname, '../..'), join(cwd, 'node_modules/unplugin-prompts'))
    const run = await prompts(['init', '-y'], { cwd, env })
    expect(run.stdout).toContain('    rm prompts.d.ts prompts.d.ts.map\n')
    const text = await readFile(join(cwd, 'src/prompts.d.ts'), 'utf8')
    expect(text).toContain('declare module "virtual:prompts"')
  })

  test('puts the declarations where a framework will see them, before its tsconfig is made', async () => {
    const cwd = await folderWith({
      'package.json': '{ "devDependencies": { "@sveltejs/kit": "2", "unplugin-prompts": "*" } }',
      'vite.config.ts': CONFIG,
      'tsconfig.json': '{ "extends": "./.svelte-kit/tsconfig.json" }',
    })
    await prompts(['init', '-y'], { cwd })
    expect((await filesIn(cwd))['prompts.config.ts']).toContain("dts: 'src/prompts.d.ts'")
  })

  test('adds the module to a Nuxt app by its name, and no import', async () => {
    const cwd = await folderWith({
      'package.json': '{ "dependencies": { "nuxt": "4", "unplugin-prompts": "*" } }',
      'nuxt.config.ts': "export default defineNuxtConfig({\n  modules: ['@nuxt/ui'],\n})\n",
      'tsconfig.json': '{ "files": [], "references": [{ "path": "./.nuxt/tsconfig.app.json" }] }',
    })
    await prompts(['init', '-y'], { cwd })
    const files = await filesIn(cwd)
    expect(files['nuxt.config.ts']).toBe(
      "export default defineNuxtConfig({\n  modules: ['@nuxt/ui', 'unplugin-prompts/nuxt'],\n})\n",
    )
    expect(files).not.toHaveProperty('prompts.config.ts')
  })

  test('adds the integration to an Astro app', async () => {
    const cwd = await folderWith({
      'package.json': '{ "dependencies": { "astro": "7", "unplugin-prompts": "*" } }',
      'tsconfig.json': '{ "include": [".astro/types.d.ts", "src"] }',
      'src/env.ts': '',
      'astro.config.mjs':
        "import { defineConfig } from 'astro/config'\n\nexport default defineConfig({ site: 'https://example.com' })\n",
    })
    await prompts(['init', '-y'], { cwd })
    const files = await filesIn(cwd)
    expect(files).not.toHaveProperty('prompts.config.ts')
    expect(files['astro.config.mjs']).toBe(
      "import { defineConfig } from 'astro/config'\nimport prompts from 'unplugin-prompts/astro'\n\nexport default defineConfig({ site: 'https://example.com', integrations: [prompts()] })\n",
    )
  })

  test('shows the line for a Nuxt configuration that it cannot edit', async () => {
    const cwd = await folderWith({
      'package.json': '{ "dependencies": { "nuxt": "4", "unplugin-prompts": "*" } }',
      'nuxt.config.ts': "import config from './config'\nexport default config\n",
    })
    const run = await prompts(['init', '-y'], { cwd })
    expect(run.stdout).toContain("    modules: ['unplugin-prompts/nuxt'],\n")
    expect(run.stdout).not.toContain('import prompts')
  })

  test('shows what is to be done by hand also where the first pull fails', async () => {
    const cwd = await folderWith({
      'package.json': '{ "devDependencies": { "vite": "8", "unplugin-prompts": "*" } }',
    })
    const env = { PROMPTS_BASE_URL: 'http://127.0.0.1:1', PROMPTS_API_KEY: 'svc_live_x y' }
    const run = await prompts(['init', '-y'], { cwd, env })
    expect(transcript(run, cwd)).toMatchSnapshot()
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('KEY_MALFORMED') })
  })

  test('wraps the configuration of Next.js, and changes nothing the second time', async () => {
    const cwd = await folderWith({
      'package.json': '{ "dependencies": { "next": "16", "unplugin-prompts": "*" } }',
      'next.config.ts': 'export default {}\n',
      'tsconfig.json': '{}',
    })
    const run = await prompts(['init', '-y'], { cwd })
    expect(run.stderr).toContain('Found Next.js')
    const files = await filesIn(cwd)
    expect(files['next.config.ts']).toBe(
      "import withPrompts from 'unplugin-prompts/next'\n\nexport default withPrompts({})\n",
    )
    expect(Object.keys(files)).not.toContain('prompts.config.ts')
    await prompts(['init', '-y'], { cwd })
    expect(await filesIn(cwd)).toEqual(files)
  })

  test.each([
    ['next.config.mjs', {}],
    ['next.config.ts', { 'tsconfig.json': '{}' }],
  ])('creates %s for Next.js without a configuration', async (name, files) => {
    const dependencies = '{ "next": "16", "unplugin-prompts": "*" }'
    const manifest = { 'package.json': `{ "dependencies": ${dependencies} }` }
    const cwd = await folderWith({ ...manifest, ...files })
    await prompts(['init', '-y'], { cwd })
    expect((await filesIn(cwd))[name]).toContain('export default withPrompts({})\n')
  })

  test('shows how to wrap a configuration of Next.js that it does not know', async () => {
    const cwd = await folderWith({
      'package.json': '{ "dependencies": { "next": "16" } }',
      'next.config.mjs': 'export default function config() {\n  return {}\n}\n',
    })
    const run = await prompts(['init', '--dry-run'], { cwd })
    expect(run.stderr).toContain('→ Wrap what next.config.mjs exports:')
    expect(run.stdout).toContain('export default withPrompts(nextConfig)')
  })

  test('takes the bundler that it is told, and knows a project without one', async () => {
    const cwd = await folderWith({ 'package.json': '{}' })
    const none = await prompts(['init', '--dry-run'], { cwd })
    expect(transcript(none, cwd)).toMatchSnapshot('none')
    const told = await prompts(['init', '--dry-run', '--bundler', 'rollup'], { cwd })
    expect(transcript(told, cwd)).toMatchSnapshot('told')
  })

  test('adds the plugin to the configuration of Vitest if nothing else builds the app', async () => {
    const cwd = await folderWith({
      'package.json': JSON.stringify({
        type: 'module',
        devDependencies: { vitest: '^5', 'unplugin-prompts': '*' },
      }),
      'vitest.config.ts':
        "import { defineConfig } from 'vitest/config'\n\nexport default defineConfig({})\n",
    })
    await prompts(['init', '--yes'], { cwd })
    const text = await readFile(join(cwd, 'vitest.config.ts'), 'utf8')
    expect(text).toContain("import prompts from 'unplugin-prompts/vite'")
    expect(text).toContain('plugins: [prompts()]')
  })

  test('shows the aliases for wrangler, which takes no plugins', async () => {
    const manifest = '{ "devDependencies": { "wrangler": "^4" } }'
    const cwd = await folderWith({ 'package.json': manifest, 'wrangler.jsonc': '{}' })
    const run = await prompts(['init', '--dry-run', '--json'], { cwd })
    expect(JSON.parse(run.stdout).manual).toContainEqual({
      what: expect.stringContaining('wrangler'),
      lines: expect.arrayContaining(['  "virtual:prompts/all": "./src/prompts/all.js"']),
    })
  })

  test.each([
    ['npm', { 'package.json': '{ "workspaces": ["apps/*"] }' }],
    ['pnpm', { 'package.json': '{}', 'pnpm-workspace.yaml': 'packages: [apps/*]' }],
  ])('points to the apps at the root of a monorepo of %s', async (_, files) => {
    const cwd = await folderWith(files)
    const run = await prompts(['init', '--dry-run', '--json'], { cwd })
    expect(JSON.parse(run.stdout).manual).toContainEqual({
      what: expect.stringContaining('root of a monorepo'),
      lines: [expect.stringMatching(/prompts init$/)],
    })
  })

  test('leaves a broken package.json alone', async () => {
    const cwd = await folderWith()
    await writeFile(join(cwd, 'package.json'), '{ "scripts": ')
    const run = await prompts(['init', '-y', '--no-install'], { cwd })
    expect(transcript(run, cwd)).toMatchSnapshot()
    expect(await readFile(join(cwd, 'package.json'), 'utf8')).toBe('{ "scripts": ')
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
    expect(run.code).toBe(1)
    expect(JSON.parse(run.stdout)).toMatchObject({
      error: {
        code: 'BUNDLER_UNSUPPORTED',
        why: `${title} ${version} is not supported.`,
        fix: expect.stringMatching(/"outDir": "prompts".*setup\/tsc\.md/),
      },
    })
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('is found by the versions in package.json', async () => {
    const text = await readFile(resolve(import.meta.dirname, '../../package.json'), 'utf8')
    const { peerDependencies } = JSON.parse(text) as { peerDependencies: object }
    const lowest = bundlers.flatMap(({ dependency, lowest: version, name }) =>
      version === undefined || name === 'vitest' ? [] : [[dependency, `>=${version}`]],
    )
    expect(peerDependencies).toMatchObject(Object.fromEntries(lowest))
  })
})

describe('prompts init for an app without a bundler', () => {
  const INSTALLED = '"devDependencies": { "unplugin-prompts": "*" }'
  const SRC = '{ "include": ["src"] }'

  test.each([
    {
      title: 'TypeScript in src',
      files: { 'tsconfig.json': SRC, 'src/main.ts': '' },
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
      load: "const { prompts } = require('#prompts')",
    },
  ])('sets up real files for $title', async ({ files, load }) => {
    const { live: env } = await testService([{ slug: 'a', version: 'v1', user: '{{ b }}' }])
    const cwd = await folderWith({ 'package.json': `{ ${INSTALLED} }`, ...files })
    const { code, stdout } = await prompts(['init', '--yes'], { cwd, env })
    expect(code).toBe(0)
    expect(stdout).toContain(`    ${load}\n`)
    expect(stdout).not.toContain('exclude')
    const names = Object.keys(await filesIn(cwd))
    expect(names).toEqual(expect.arrayContaining(['prompts.config.json', 'prompts/index.js']))
    expect(names).not.toContain('prompts.d.ts')
    const again = await prompts(['init', '--yes', '--json'], { cwd, env })
    expect(JSON.parse(again.stdout)).toMatchObject({ changes: [], manual: [] })
  })

  test.each([
    {
      title: 'to remove old declarations, which an import of ../prompts would read',
      files: { 'prompts.d.ts': '', 'tsconfig.json': SRC },
      lines: ['rm prompts.d.ts prompts.d.ts.map'],
    },
    {
      title: 'to exclude the folder if tsc would compile it',
      files: { 'tsconfig.json': '{ "compilerOptions": { "allowJs": true } }' },
      lines: [expect.stringContaining('"exclude": [')],
    },
    {
      title: 'what to set in a configuration that is there',
      files: { 'prompts.config.ts': `export default { include: 'a' }` },
      lines: ["outDir: 'prompts',", 'dts: false,'],
    },
  ])('says $title', async ({ files, lines }) => {
    const cwd = await folderWith({ 'package.json': `{ ${INSTALLED} }`, ...files })
    const { stdout } = await prompts(['init', '--dry-run', '--json'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ manual: [{ lines }] })
  })
})

test('prompts init writes a new file with the quotes and semicolons of the configuration', async () => {
  const config = `import { defineConfig } from "vite"; // don't\n\nexport default defineConfig({ plugins: [] });\n`
  const files = viteFiles({ 'vite.config.ts': config, 'tsconfig.json': '{ "include": ["src"] }' })
  const cwd = await folderWith({ ...files, 'src/main.ts': '' })
  await prompts(['init', '--yes', '--no-install'], { cwd })
  const written = await filesIn(cwd)
  expect(written['vite.config.ts']).toContain('import prompts from "unplugin-prompts/vite";\n')
  expect(written['prompts.config.ts']).toBe(
    'import { defineConfig } from "unplugin-prompts";\n\nexport default defineConfig({\n  dts: "src/prompts.d.ts",\n});\n',
  )
})

test('prompts init shows the plugin to a project of Bun', async () => {
  const manifest = '{ "devDependencies": { "@types/bun": "*", "unplugin-prompts": "*" } }'
  const cwd = await folderWith({ 'package.json': manifest })
  const { stdout } = await prompts(['init', '--dry-run', '--json'], { cwd })
  expect(JSON.parse(stdout)).toMatchObject({
    bundler: 'bun',
    manual: [{ lines: [expect.stringContaining('unplugin-prompts/bun'), expect.any(String)] }],
  })
})

test('prompts init adds lock and declarations to the lists of Prettier and Biome, and leaves that of ESLint', async () => {
  const cwd = await folderWith(
    viteFiles({
      '.prettierignore': 'dist\nprompts.d.ts\n',
      'biome.json': '{ "files": { "includes": ["**"] } }\n',
      'eslint.config.js': "export default [{ ignores: ['dist'] }]\n",
    }),
  )
  await prompts(['init', '--yes'], { cwd })
  expect(await filesIn(cwd)).toMatchObject({
    '.prettierignore': 'dist\nprompts.d.ts\nprompts.lock.json\n',
    'biome.json': '{ "files": { "includes": ["**", "!prompts.lock.json", "!**/prompts.d.ts"] } }\n',
    'eslint.config.js': "export default [{ ignores: ['dist'] }]\n",
  })
})
