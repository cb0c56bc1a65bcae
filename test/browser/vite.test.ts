import { copyFile, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
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
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { liveLock } from '../helpers/pinned.ts'
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

async function stateAt(url: string): Promise<PageState> {
  return (await (await fetch(`${url}/__prompts/api/state`)).json()) as PageState
}

/** `fetch` would not send a Host header of our choice, and would follow redirects. */
function ask(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      resolve(response)
      response.resume()
    })
    sent.on('error', reject).end()
  })
}

async function statusFor(url: string, host: string): Promise<number | undefined> {
  return (await ask(`${url}/__prompts/api/state`, { host })).statusCode
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
    const opened: string[] = []
    await page.route('**/__open-in-editor**', (route) => {
      opened.push(new URL(route.request().url()).searchParams.get('file') ?? '')
      return route.fulfill({ status: 200, body: '' })
    })
    await page.getByRole('link', { name: 'src/main.ts:3' }).click()
    await vi.waitFor(
      () => expect(opened).toEqual([join(server.config.root, 'src/main.ts:3')]),
      SOON,
    )
    await expect(page.locator('.row .badge').allTextContents()).resolves.toEqual(['unused'])
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
    const next = liveLock(
      { system: 'Be {{ tone }}.', version: 'v23' },
      { slug: 'on-server' },
      { slug: 'nowhere' },
    )
    await project.serve(workspaceFromLock(next))
    const { page } = await visit(browser(), `${url}/__prompts/`)
    await page.getByRole('button', { name: /^Check the 1 that your code uses/ }).click()
    await page.getByRole('heading', { name: '1 line of your app would break' }).waitFor()
    await expect(page.locator('.findings li').innerText()).resolves.toMatch(
      /src\/main\.ts:3[^]*tone/,
    )
  })

  test('the page is below the base, and so is the editor', async () => {
    const { url } = await serve(await app(), { base: '/app/' })
    expect((await fetch(`${url}/app/__prompts/`)).status).toBe(200)
    expect((await stateAt(`${url}/app`)).editor).toBe('/app/__open-in-editor?file=')
    const { url: landed } = await fetch(`${url}/app/__prompts`)
    expect(landed).toBe(`${url}/app/__prompts/`)
  })

  test('a foreign Host is rejected, even if Vite itself accepts any', async () => {
    const { url } = await serve(await app(), { server: { allowedHosts: true } })
    expect(await statusFor(url, 'evil.example')).toBe(403)
  })

  test('a host name that the dev server allows works with the token', async () => {
    const { lines, customLogger } = keptLines()
    const { url } = await serve(await app(), {
      base: '/app/',
      customLogger,
      server: { allowedHosts: ['.preview.example'] },
    })
    const host = 'mine.preview.example'
    const state = `${url}/app/__prompts/api/state`
    for (const _ of 'twice') expect((await ask(state, { host })).statusCode).toBe(403)
    const addresses = lines.flatMap((line) => /http:\S+token=\S+/.exec(line) ?? [])
    expect(addresses).toHaveLength(1)
    const { origin, pathname, search } = new URL(addresses[0] ?? '')
    expect([origin, pathname]).toEqual([`http://${host}`, '/app/__prompts/'])
    const { statusCode, headers } = await ask(url + pathname + search, { host })
    expect([statusCode, headers.location]).toEqual([302, '/app/__prompts/'])
    const [cookie = ''] = headers['set-cookie'] ?? []
    expect(cookie).toMatch(/; Path=\/app\/__prompts; HttpOnly; SameSite=Strict$/)
    expect((await ask(state, { host, cookie: cookie.split(';')[0] ?? '' })).statusCode).toBe(200)
  })

  test('a tunnel or a forwarded port needs the token, although it connects from this machine', async () => {
    const { url } = await serve(await app())
    const headers = { 'x-forwarded-for': '127.0.0.1' }
    expect((await ask(`${url}/__prompts/api/state`, headers)).statusCode).toBe(403)
  })

  test('the token is printed only with the network URL', async () => {
    const { lines, customLogger } = keptLines()
    const { server } = await serve(await app(), { customLogger })
    const printed = (network: string[]): string[] => {
      server.resolvedUrls = { local: ['http://localhost:5173/'], network }
      server.printUrls()
      return lines.splice(0).filter((line) => line.includes('__prompts'))
    }
    expect(printed([])).toEqual([expect.stringMatching(/http:\/\/localhost:5173\/__prompts\/$/)])
    expect(printed(['http://192.0.2.1:5173/'])).toEqual([
      expect.not.stringContaining('token'),
      expect.stringMatching(/http:\/\/192\.0\.2\.1:5173\/__prompts\/\?token=[\w-]{32}$/),
    ])
  })

  test('`page: false` turns it off', async () => {
    const { url } = await serve(await app(), { plugins: [prompts({ page: false })] })
    expect(await (await fetch(`${url}/__prompts/api/state`)).text()).toContain('<title>App</title>')
  })

  test('a page of another origin can neither read nor embed it', async () => {
    const { url } = await serve(await app())
    const elsewhere = createHttpServer((_, response) => {
      response
        .setHeader('content-type', 'text/html')
        .end(`<iframe src="${url}/__prompts/"></iframe>`)
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void elsewhere.close())
    const { port } = elsewhere.address() as AddressInfo
    const { page } = await visit(browser(), `http://localhost:${port}/`)
    const read = await page.evaluate<string>(
      `fetch(${JSON.stringify(`${url}/__prompts/api/state`)}).then((r) => r.text(), () => 'refused')`,
    )
    expect(read).not.toContain('Be kind.')
    await expect(page.frameLocator('iframe').locator('.row').count()).resolves.toBe(0)
  })

  test('has another path for a named workspace', async () => {
    const project = await app()
    const lock = join(project.root, 'prompts.lock.json')
    await copyFile(lock, join(project.root, 'billing-prompts.lock.json'))
    const { url } = await serve(project, {
      plugins: [prompts(), prompts({ name: 'billing-prompts' })],
    })
    const paths = ['__prompts', '__billing-prompts'].map((name) => `${url}/${name}/api/state`)
    const states = await Promise.all(paths.map(async (path) => (await fetch(path)).json()))
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
      .waitFor()
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
  const text = JSON.stringify(result)
  expect(text).toContain('Be kind.')
  expect(text).not.toMatch(/__prompts|preact/)
})
