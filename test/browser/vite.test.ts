import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, createLogger, createServer, type InlineConfig, type ViteDevServer } from 'vite'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { printLock } from '../../src/core/lock/print-lock.ts'
import { sha256 } from '../../src/fs/files.ts'
import { workspaceFromLock } from '../../src/local-service/workspace.ts'
import prompts from '../../src/vite.ts'
import { APP_TSCONFIG, appFolder } from '../helpers/app-folder.ts'
import { liveLock } from '../helpers/pinned.ts'
import { ask, lockOn } from '../helpers/page/ask.ts'
import { pageBrowser, visit } from '../helpers/page/browser.ts'
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

async function app(): Promise<TestProject> {
  const lock = liveLock({ system: 'Be kind.' }, { slug: 'on-server' }, { slug: 'nowhere' })
  return testProject(lock, { files: FILES })
}

/** One dev server, without the key: `baseUrl` and the like come from the plugin's options. */
async function serve(
  { root, service }: Pick<TestProject, 'root'> & Partial<TestProject>,
  config: InlineConfig = {},
): Promise<{ server: ViteDevServer; url: string }> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: service ? [prompts({ baseUrl: service.url, apiKey: 'svc_live_local' })] : [],
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

/** Serves a document on another port of this machine, as a dev server of Vite with its default CORS. */
async function elsewhere(html: string): Promise<string> {
  const root = await appFolder({ 'index.html': html })
  return `${(await serve({ root })).url}/`
}

describe('in a Vite dev server', () => {
  test('the page shows where each prompt is imported, follows edits, and names what an update would break', async () => {
    const project = await app()
    const { url } = await serve(project)
    const { page, complaints } = await visit(browser(), `${url}/__prompts/`)
    await page.getByRole('link', { name: 'Prompts 3' }).click()
    await page.getByRole('link', { name: 'support-triage' }).click()
    await page.getByRole('button', { name: 'src/main.ts:3' }).waitFor()
    await page.locator('.uses').getByText('client').waitFor()
    await writeFile(join(project.root, 'src/main.ts'), `\n\n${FILES['src/main.ts']}`)
    await page.getByRole('button', { name: 'src/main.ts:5' }).waitFor()
    expect(await page.locator('.uses button').count()).toBe(1)
    await page.locator('.row a', { hasText: 'on-server' }).click()
    await page.getByRole('button', { name: 'src/server.ts:2' }).waitFor()
    await project.serve(UPDATED)
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByRole('link', { name: 'Changes 1' }).click()
    await page.getByRole('button', { name: /^Check the 1 that your code uses/ }).click()
    await page.getByRole('heading', { name: '1 line of your app would break' }).waitFor()
    expect(await page.locator('.findings li').textContent()).toMatch(/src\/main\.ts:5[^]*tone/)
    expect(complaints).toEqual([])
  })

  test('the first visit starts the server of the page, to which the path below the base redirects until the end', async () => {
    const { server, url } = await serve(await app(), { base: '/app/' })
    const servers = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
    const before = servers()
    const page = await pageOf(url, '/app/__prompts/')
    expect(page).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
    expect(await pageOf(url, '/app/__prompts')).toBe(page)
    expect(servers() - before).toBe(1)
    expect((await ask(`${page}prompts`)).body).toContain('<title>Prompts</title>')
    await server.close()
    await vi.waitFor(() => expect(ask(page)).rejects.toThrow('ECONNREFUSED'), SOON)
  })

  test('a client elsewhere or behind a proxy is told in a sentence what to do', async () => {
    const { url } = await serve(await app(), { server: { allowedHosts: true } })
    for (const headers of [
      { host: 'evil.example' },
      { host: '192.0.2.1:5173' },
      { 'x-forwarded-for': '127.0.0.1' },
    ]) {
      const answer = await ask(`${url}/__prompts/`, { headers })
      expect([answer.status, answer.headers.location, answer.body]).toEqual([
        403,
        undefined,
        'The prompts page is for browsers on the machine of the dev server: open it there.\n',
      ])
    }
  })

  test('the address is printed once, also with a network URL', async () => {
    const lines: string[] = []
    const info = (line: string): void => void lines.push(line)
    const { server } = await serve(await app(), {
      customLogger: { ...createLogger('silent'), info },
    })
    const network = ['http://192.0.2.1:5173/']
    server.resolvedUrls = { local: ['http://localhost:5173/'], network }
    server.printUrls()
    expect(lines.filter((line) => line.includes('__prompts'))).toEqual([
      expect.stringMatching(/http:\/\/localhost:5173\/__prompts\/$/),
    ])
  })

  test('the page is turned off by `page: false`', async () => {
    const { url } = await serve(await app(), { plugins: [prompts({ page: false })] })
    // Vite answers unknown paths of documents with the app.
    const { body } = await ask(`${url}/__prompts/`, { headers: { accept: 'text/html' } })
    expect(body).toContain('<title>App</title>')
  })

  test.each(['the app itself', 'another port of this machine'])(
    'a script of %s can neither read, act nor embed',
    async (origin) => {
      const project = await app()
      const { url } = await serve(project)
      await project.serve(UPDATED)
      const target = await pageOf(url)
      const lock = await lockOn(`${target}changes`)
      const home = origin === 'the app itself' ? `${url}/` : await elsewhere('<title>Other</title>')
      const { page } = await visit(browser(), home)
      const attempts = await page.evaluate<string[]>(`(async () => {
        const body = new URLSearchParams(${JSON.stringify({ act: 'list', lock })})
        const requests = [
          ['${url}/__prompts/', {}],
          ['${target}', {}],
          ['${target}prompts', { mode: 'no-cors' }],
          ['${target}events', {}],
          ['${target}changes', { method: 'POST', body }],
          ['${target}changes', { method: 'POST', body, mode: 'no-cors' }],
          ['${target}prompts', { method: 'POST', body, credentials: 'include' }],
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
      expect(project.service.requests).toEqual([])
      // A form can be sent there, and is refused.
      await page.evaluate(`{
        const form = document.createElement('form')
        Object.assign(form, { method: 'post', action: '${target}changes' })
        form.innerHTML = '<input name="act" value="list">'
        document.body.append(form)
        form.submit()
      }`)
      await page.getByText('Only a form of this page may do this.').waitFor()
      expect(project.service.requests).toEqual([])
      await page.goto(home)
      await page.evaluate(
        `document.body.append(Object.assign(document.createElement('iframe'), { src: '${target}' }))`,
      )
      expect(await page.frameLocator('iframe').locator('.header').count()).toBe(0)
    },
  )

  test('each workspace has a page at its own path, with its lock', async () => {
    const project = await app()
    const pinned = printLock(liveLock({ slug: 'on-server' }), sha256)
    await writeFile(join(project.root, 'billing-prompts.lock.json'), pinned)
    const key = { baseUrl: project.service.url, apiKey: 'svc_live_local' }
    const plugins = [prompts(key), prompts({ name: 'billing-prompts', ...key })]
    const { url } = await serve(project, { plugins })
    const shown = (path: string): Promise<string> =>
      pageOf(url, path).then(async (page) => (await ask(`${page}prompts`)).body)
    expect(await shown('/__prompts/')).toMatch(/3 prompts pinned[^]*>prompts\.lock\.json/)
    expect(await shown('/__billing-prompts/')).toMatch(/1 prompt pinned[^]*>billing-prompts\.lock/)
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
