import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import {
  build,
  createLogger,
  createServer,
  type InlineConfig,
  type Logger,
  type ViteDevServer,
} from 'vite'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { printLock } from '../../src/core/lock/print-lock.ts'
import { sha256 } from '../../src/fs/files.ts'
import { workspaceFromLock } from '../../src/local-service/workspace.ts'
import type { PageState } from '../../src/page/protocol.ts'
import prompts from '../../src/vite.ts'
import { APP_TSCONFIG, appFolder } from '../helpers/app-folder.ts'
import { startLocalServer } from '../helpers/local-server.ts'
import { liveLock } from '../helpers/pinned.ts'
import { act, ask } from '../helpers/page/ask.ts'
import { pageBrowser, visit } from '../helpers/page/browser.ts'
import { choose } from '../helpers/page/open-page.ts'
import { testProject, type TestProject } from '../helpers/page/project.ts'
import { SOON } from '../helpers/soon.ts'

const browser = pageBrowser()

const FILES = {
  'index.html':
    '<!doctype html><title>App</title><script type="module" src="/src/main.ts"></script>',
  'src/main.ts': [
    `import { prompts } from 'virtual:prompts'`,
    '',
    `document.title = prompts.supportTriage.render().text`,
  ].join('\n'),
  'src/server.ts': `import { prompts } from 'virtual:prompts'\nexport default prompts['on-server'].version\n`,
  'tsconfig.json': APP_TSCONFIG,
} as const

/** The service with a variable that the app does not pass. */
const UPDATED = workspaceFromLock(
  liveLock(
    { system: 'Be {{ tone }}.', version: 'v23' },
    { slug: 'on-server' },
    { slug: 'nowhere' },
  ),
)

/** What browsers accept of a document; Vite answers unknown paths of them with the app. */
const HTML = { headers: { accept: 'text/html' } }

async function app(): Promise<TestProject> {
  const lock = liveLock({ system: 'Be kind.' }, { slug: 'on-server' }, { slug: 'nowhere' })
  return testProject(lock, { files: FILES })
}

/** One dev server, without the key: `baseUrl` and the like come from the plugin's options. */
async function serve(
  { root, service }: TestProject,
  config: InlineConfig = {},
): Promise<{ server: ViteDevServer; url: string }> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [prompts({ baseUrl: service.url, apiKey: 'svc_live_local' })],
    ...config,
    server: { port: 0, host: '127.0.0.1', ...config.server },
  })
  onTestFinished(() => server.close())
  await server.listen()
  const [url = ''] = server.resolvedUrls?.local ?? []
  return { server, url: new URL(url).origin }
}

/** The URL of the page to which a dev server redirects. */
async function pageOf(url: string, path = '/__prompts/'): Promise<string> {
  const { status, headers } = await ask(url + path)
  expect(status).toBe(302)
  return headers.location ?? ''
}

/** The texts that the service was asked for. */
function reads({ service }: TestProject): number {
  return service.requests.filter(({ path }) => path.startsWith('/api/v1/prompts/')).length
}

/** Serves a document on another port of this machine, as a dev server of Vite with its default CORS. */
async function elsewhere(html: string): Promise<string> {
  const root = await appFolder({ 'index.html': html })
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    server: { port: 0, host: '127.0.0.1' },
  })
  onTestFinished(() => server.close())
  await server.listen()
  return server.resolvedUrls?.local[0] ?? ''
}

/** A proxy on this machine that names the client, as those of tunnels and containers do. */
async function proxyTo(target: string): Promise<string> {
  const { host } = new URL(target)
  const url = await startLocalServer(async (incoming, outgoing) => {
    const { method = 'GET', headers, url: path = '' } = incoming
    const forwarded = {
      ...(headers as Record<string, string>),
      host,
      'x-forwarded-for': '10.0.0.9',
    }
    const body = await text(incoming)
    const answer = await ask(new URL(path, target).href, { method, headers: forwarded, body })
    outgoing.writeHead(answer.status).end(answer.body)
  })
  return `${url}/`
}

/** A logger that keeps what it is given. */
function keptLines(): { lines: string[]; customLogger: Logger } {
  const lines: string[] = []
  const info = (line: string): void => void lines.push(line)
  return { lines, customLogger: { ...createLogger('silent'), info } }
}

describe('in a Vite dev server', () => {
  test('the page shows where each prompt is imported, and opens the editor', async () => {
    const { server, url } = await serve(await app())
    const { page, complaints } = await visit(browser(), `${url}/__prompts/#/support-triage`)
    const opened: unknown[] = []
    await page.route('**/api/open', (route) => {
      opened.push((route.request().postDataJSON() as { readonly file: string }).file)
      return route.fulfill({ status: 200, body: '' })
    })
    await page.getByRole('link', { name: 'src/main.ts:3' }).click()
    await vi.waitFor(
      () => expect(opened).toEqual([join(server.config.root, 'src/main.ts:3')]),
      SOON,
    )
    await page.locator('.uses').getByText('client').waitFor()
    await page.goto(`${url}/__prompts/#/on-server`)
    await page.getByRole('link', { name: 'src/server.ts:2' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('the page follows edits of the app', async () => {
    const project = await app()
    const { url } = await serve(project)
    const { page } = await visit(browser(), `${url}/__prompts/#/support-triage`)
    await page.getByRole('link', { name: 'src/main.ts:3' }).waitFor()
    await writeFile(join(project.root, 'src/main.ts'), `\n\n${FILES['src/main.ts']}`)
    await page.getByRole('link', { name: 'src/main.ts:5' }).waitFor()
    await expect(page.locator('.uses a').count()).resolves.toBe(1)
  })

  test('the page shows which calls an update would break', async () => {
    const project = await app()
    const { url } = await serve(project)
    await project.serve(UPDATED)
    const { page } = await visit(browser(), `${url}/__prompts/`)
    await page.getByRole('button', { name: /^Check the 1 that your code uses/ }).click()
    await page.getByRole('heading', { name: '1 line of your app would break' }).waitFor()
    await expect(page.locator('.findings li').innerText()).resolves.toMatch(
      /src\/main\.ts:3[^]*tone/,
    )
  })

  test('the first visit starts the server of the page, to which the path below the base redirects', async () => {
    const { url } = await serve(await app(), { base: '/app/' })
    const servers = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
    const before = servers()
    const page = await pageOf(url, '/app/__prompts/')
    expect(page).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
    expect(await pageOf(url, '/app/__prompts')).toBe(page)
    expect(servers() - before).toBe(1)
    expect((await ask(page)).body).toContain('<title>Prompts</title>')
  })

  test.each<Record<string, string>>([
    { host: 'evil.example' },
    { host: '192.0.2.1:5173' },
    { 'x-forwarded-for': '127.0.0.1' },
  ])('a client with %o is told in a sentence what to do', async (headers) => {
    const { url } = await serve(await app(), { server: { allowedHosts: true } })
    const answer = await ask(`${url}/__prompts/`, { headers })
    expect([answer.status, answer.headers.location]).toEqual([403, undefined])
    expect(answer.body).toBe(
      'The prompts page is for browsers on the machine of the dev server: open it there.\n',
    )
  })

  test('the dev server closes the page with itself', async () => {
    const { server, url } = await serve(await app())
    const page = await pageOf(url)
    await server.close()
    await vi.waitFor(() => expect(ask(page)).rejects.toThrow('ECONNREFUSED'), SOON)
  })

  test('the address is printed once, also with a network URL', async () => {
    const { lines, customLogger } = keptLines()
    const { server } = await serve(await app(), { customLogger })
    const network = ['http://192.0.2.1:5173/']
    server.resolvedUrls = { local: ['http://localhost:5173/'], network }
    server.printUrls()
    expect(lines.filter((line) => line.includes('__prompts'))).toEqual([
      expect.stringMatching(/http:\/\/localhost:5173\/__prompts\/$/),
    ])
  })

  test('`page: false` turns it off', async () => {
    const { url } = await serve(await app(), { plugins: [prompts({ page: false })] })
    expect((await ask(`${url}/__prompts/`, HTML)).body).toContain('<title>App</title>')
  })

  test.each(['the app itself', 'another port of this machine'])(
    'a script of %s can neither read, act nor embed',
    async (origin) => {
      const project = await app()
      const { url } = await serve(project)
      await project.serve(UPDATED)
      const target = await pageOf(url)
      const { hash } = JSON.parse((await act(target, 'state')).body) as PageState
      const home = origin === 'the app itself' ? `${url}/` : await elsewhere('<title>Other</title>')
      const { page } = await visit(browser(), home)
      const attempts = await page.evaluate<string[]>(`(async () => {
        const body = ${JSON.stringify(JSON.stringify({ with: 'service', read: 'all', lock: hash }))}
        const json = { 'content-type': 'application/json' }
        const requests = [
          ['${url}/__prompts/', {}],
          ['${target}', {}],
          ['${target}api/events', {}],
          ['${target}api/state', { method: 'POST', body }],
          ['${target}api/changes', { method: 'POST', body, headers: json }],
          ['${target}api/changes', { method: 'POST', body, mode: 'no-cors' }],
          ['${target}api/open', { method: 'POST', body, credentials: 'include' }],
        ]
        const frame = document.createElement('iframe')
        frame.src = '${target}'
        document.body.append(frame)
        await new Promise((done) => (frame.onload = done))
        const answers = requests.map(([address, options]) =>
          fetch(address, options).then((answer) => answer.text(), () => 'refused'))
        return Promise.all(answers)
      })()`)
      // What is sent without CORS is not readable.
      expect(attempts.map((said) => said || 'refused')).toEqual(Array(7).fill('refused'))
      expect(reads(project)).toBe(0)
      await expect(page.frameLocator('iframe').locator('.header').count()).resolves.toBe(0)
    },
  )

  test('a proxy in front reaches neither the redirect nor the prompts', async () => {
    const { url } = await serve(await app())
    const target = await pageOf(url)
    expect((await ask(`${await proxyTo(url)}__prompts/`)).status).toBe(403)
    const headers = { origin: new URL(target).origin }
    const { status, body } = await act(await proxyTo(target), 'state', { headers })
    expect(status).toBe(403)
    expect(body).not.toContain('Be kind.')
  })

  test('has another path for a named workspace', async () => {
    const project = await app()
    const lock = join(project.root, 'prompts.lock.json')
    await copyFile(lock, join(project.root, 'billing-prompts.lock.json'))
    const { url } = await serve(project, {
      plugins: [prompts(), prompts({ name: 'billing-prompts' })],
    })
    const pages = await Promise.all(
      ['/__prompts/', '/__billing-prompts/'].map((path) => pageOf(url, path)),
    )
    const states = await Promise.all(
      pages.map(async (page) => JSON.parse((await act(page, 'state')).body) as PageState),
    )
    expect(JSON.stringify(states[0])).toContain('"prompts.lock.json"')
    expect(JSON.stringify(states[1])).toContain('"billing-prompts.lock.json"')
    expect(states).toMatchObject([{ workspace: 'prompts' }, { workspace: 'billing-prompts' }])
  })

  test('shows the commands and the module of its workspace', async () => {
    const project = await app()
    const pinned = printLock(liveLock({ slug: 'on-server' }), sha256)
    await writeFile(join(project.root, 'billing-prompts.lock.json'), pinned)
    const key = { baseUrl: project.service.url, apiKey: 'svc_live_local' }
    const plugins = [prompts({ name: 'billing-prompts', ...key })]
    const { url } = await serve(project, { plugins })
    const { page } = await visit(browser(), `${url}/__billing-prompts/`)
    await page
      .getByText(/^npx prompts pull .*--name billing-prompts$/)
      .first()
      .waitFor({ state: 'attached' })
    await page.goto(`${url}/__billing-prompts/#/on-server/try`)
    await choose(page, 'Code')
    await expect(page.getByRole('group', { name: 'Code' }).innerText()).resolves.toContain(
      `from 'virtual:billing-prompts'`,
    )
  })
})

test('a build contains nothing of the page', async () => {
  const { root } = await app()
  const result = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [prompts({ client: 'allow' })],
    build: { write: false },
  })
  const output = JSON.stringify(result)
  expect(output).toContain('Be kind.')
  expect(output).not.toMatch(/__prompts|preact/)
})
