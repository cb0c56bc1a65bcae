import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Ended, installedApp } from '../helpers/installed-app.ts'
import { lockOf } from '../helpers/pinned.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../src/docs/staging.md'), 'utf8')

/** The code of the first block under a heading of the page. */
function blockUnder(heading: string): string {
  const [, section = ''] = PAGE.split(`## ${heading}\n`)
  return /^```\w+\n(.*?)^```$/ms.exec(section)?.[1] ?? ''
}

const LOCK = lockOf({
  live: [{ slug: 'triage', version: 'v22', system: 'The live text.' }],
  staging: [{ slug: 'triage', version: 'v23', system: 'The staging text.' }],
})

/** An app as a platform clones it, with the keys that are set there for all environments. */
function clone(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const scripts = { build: 'node node_modules/vite/bin/vite.js build' }
  return installedApp({
    packages: ['vite'],
    lock: LOCK,
    files: {
      'package.json': JSON.stringify({ type: 'module', scripts }),
      'vite.config.js': `import prompts from 'unplugin-prompts/vite'
export default { plugins: [prompts({ client: 'allow' })] }
`,
      'index.html': '<script type="module" src="/main.js"></script>\n',
      'main.js': `import { prompts } from 'virtual:prompts'
document.body.append(prompts.triage.render({}).text)
`,
      ...files,
    },
  })
}

/** Runs a build command as a platform does, with its variables. */
function build(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Ended> {
  const { PATH, HOME } = process.env
  const key = { PROMPTS_API_KEY: 'svc_live_x' }
  const variables = { PATH, HOME, CI: '1', PROMPTS_PULL: 'never', ...key, ...env }
  return new Promise((done) => {
    execFile('sh', ['-c', command], { cwd, env: variables }, (error, stdout, stderr) => {
      done({ code: error?.code ?? 0, stdout, stderr })
    })
  })
}

/** Whose texts are in what was built. */
function textsIn(cwd: string): string[] {
  const folder = join(cwd, 'dist/assets')
  const code = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  return ['live', 'staging'].filter((name) => code.join('').includes(`The ${name} text.`))
}

interface Platform {
  readonly command: string
  /** What the platform sets for a pull request, and for the default branch. */
  readonly preview: Readonly<Record<string, string | undefined>>
  readonly production: Readonly<Record<string, string | undefined>>
}

/** `key = "value"` lines of a table of TOML. */
function tomlTable(code: string, name: string): Record<string, string> {
  const [, table = ''] = code.split(`[${name}]\n`)
  const [lines = ''] = table.split('\n[')
  return Object.fromEntries(Array.from(lines.matchAll(/^(\w+) = "(.*)"$/gm), ([, k, v]) => [k, v]))
}

function vercel(): Platform {
  const { buildCommand } = JSON.parse(blockUnder('Vercel')) as { readonly buildCommand: string }
  return {
    command: buildCommand,
    preview: { VERCEL_ENV: 'preview' },
    production: { VERCEL_ENV: 'production' },
  }
}

function netlify(): Platform {
  const toml = blockUnder('Netlify')
  const preview = tomlTable(toml, 'context.deploy-preview.environment')
  return { command: tomlTable(toml, 'build')['command'] ?? '', preview, production: {} }
}

function cloudflare(): Platform {
  return {
    command: blockUnder('Cloudflare'),
    preview: { WORKERS_CI_BRANCH: 'new-wording' },
    production: { WORKERS_CI_BRANCH: 'main' },
  }
}

interface Workflow {
  readonly jobs: {
    readonly build: {
      readonly env: Readonly<Record<string, string>>
      readonly steps: readonly { readonly run?: string }[]
    }
  }
}

/** `a == 'b' && 'c' || 'd'`, the one form of an expression that the page has. */
function evaluate(expression: string, event: string): string | undefined {
  const form = /^\$\{\{ github\.event_name == '(\w+)' && '(\w+)' \|\| '(\w+)' \}\}$/
  const [, name, then, otherwise] = form.exec(expression) ?? []
  return name === event ? then : otherwise
}

function githubActions(): Platform {
  const { env, steps } = (parse(blockUnder('GitHub Actions')) as Workflow).jobs.build
  const on = (event: string): Platform['preview'] =>
    Object.fromEntries(Object.entries(env).map(([name, value]) => [name, evaluate(value, event)]))
  const command = steps.at(-1)?.run ?? ''
  return { command, preview: on('pull_request'), production: on('push') }
}

describe.each(Object.entries({ vercel, netlify, cloudflare, githubActions }))(
  'the recipe for %s',
  (_, platform) => {
    test('builds staging prompts for a pull request, with a live key', async () => {
      const { command, preview } = platform()
      const cwd = await clone()
      const built = await build(command, cwd, preview)
      expect(built).toMatchObject({ code: 0 })
      expect(built.stderr).not.toContain('staging prompts')
      expect(textsIn(cwd)).toEqual(['staging'])
    })

    test('builds live prompts for the default branch', async () => {
      const { command, production } = platform()
      const cwd = await clone()
      expect(await build(command, cwd, production)).toMatchObject({ code: 0 })
      expect(textsIn(cwd)).toEqual(['live'])
    })
  },
)

test('the configuration of the page refuses staging prompts in production only', async () => {
  const config = blockUnder('Staging versions in production')
  const cwd = await clone({ 'prompts.config.ts': config })
  const { command, preview } = vercel()
  const allowed = await build(command, cwd, preview)
  expect(allowed).toMatchObject({ code: 0 })
  const env = { VERCEL_ENV: 'production', PROMPTS_ENVIRONMENT: 'test' }
  const refused = await build(command, cwd, env)
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.stderr).toContain('TEST_IN_PRODUCTION')
})
