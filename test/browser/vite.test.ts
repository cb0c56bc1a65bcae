import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, createLogger, createServer, type InlineConfig, type ViteDevServer } from 'vite'
import { expect, onTestFinished, test, vi } from 'vitest'
import prompts from '../../src/vite.ts'
import { APP_TSCONFIG, appFolder } from '../helpers/app-folder.ts'
import { liveLock, lockText } from '../helpers/pinned.ts'
import { ask, formOf } from '../helpers/page/ask.ts'
import { visit } from '../helpers/page/browser.ts'
import { testProject, type TestProject } from '../helpers/page/project.ts'
import { SOON } from '../helpers/soon.ts'

const MAIN = `import { prompts } from 'virtual:prompts'

document.title = prompts.supportTriage.render().text
`

const FILES = {
  'index.html':
    '<!doctype html><title>App</title><script type="module" src="/src/main.ts"></script>',
  'src/main.ts': MAIN,
  'src/server.ts': `import { prompts } from 'virtual:prompts'\nexport default prompts['on-server'].version\n`,
  'tsconfig.json': APP_TSCONFIG,
}

const app = (): Promise<TestProject> =>
  testProject(liveLock({ system: 'Be kind.' }, { slug: 'on-server' }), { files: FILES })

interface Dev {
  readonly server: ViteDevServer
  readonly url: string
}

/** Starts a dev server in a folder. */
async function dev(root: string, config: InlineConfig = {}): Promise<Dev> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    ...config,
    server: { port: 0, host: '127.0.0.1', ...config.server },
  })
  onTestFinished(() => server.close())
  await server.listen()
  const [url = ''] = server.resolvedUrls?.local ?? []
  return { server, url: new URL(url).origin }
}

const KEY = 'svc_live_local'

/** The same for an app with the plugin. */
function devWithPage({ root, service }: TestProject, config?: InlineConfig): Promise<Dev> {
  return dev(root, { plugins: [prompts({ baseUrl: service.url, apiKey: KEY })], ...config })
}

/** The URL of the page to which a dev server redirects. */
async function pageOf(url: string, path = '/__prompts/'): Promise<string> {
  const { status, headers } = await ask(url + path)
  expect(status).toBe(302)
  return headers.location ?? ''
}

test('the page of a dev server shows where each prompt is imported, follows edits, and names what an update would break', async () => {
  const project = await app()
  const { url } = await devWithPage(project)
  const { page, complaints } = await visit(`${url}/__prompts/`)
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  await page.getByRole('link', { name: 'Prompts 2' }).click()
  await page.getByRole('link', { name: 'support-triage' }).click()
  await button('src/main.ts:3').waitFor()
  await writeFile(join(project.root, 'src/main.ts'), `\n\n${MAIN}`)
  await button('src/main.ts:5').waitFor()
  expect(await page.locator('.uses button').count()).toBe(1)
  await page.getByRole('link', { name: 'on-server' }).click()
  await button('src/server.ts:2').waitFor()
  project.serve(liveLock({ system: 'Be {{ tone }}.', version: 'v23' }, { slug: 'on-server' }))
  await button('Check now').click()
  await page.getByRole('link', { name: 'Changes 1' }).click()
  await button(/^Fetch the 1 that your code uses/).click()
  await page.getByRole('heading', { name: '1 line stops compiling' }).waitFor()
  expect(await page.locator('.findings li').textContent()).toMatch(/src\/main\.ts:5[^]*tone/)
  expect(complaints).toEqual([])
})

test('the first visit starts the server of the page, to which the path below the base redirects until the end', async () => {
  const { server, url } = await devWithPage(await app(), { base: '/app/' })
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

test.each([
  { host: 'evil.example' },
  { host: '192.0.2.1:5173' },
  { 'x-forwarded-for': '127.0.0.1' },
])(
  'a client elsewhere or behind a proxy (%j) is told in a sentence what to do',
  async (headers) => {
    const { url } = await devWithPage(await app(), { server: { allowedHosts: true } })
    const answer = await ask(`${url}/__prompts/`, { headers })
    expect(answer.headers.location).toBeUndefined()
    const body =
      'The prompts page is for browsers on the machine of the dev server: open it there.\n'
    expect(answer).toMatchObject({ status: 403, body })
  },
)

test('the address is printed once, also with a network URL', async () => {
  const lines: string[] = []
  const info = (line: string): void => void lines.push(line)
  const customLogger = { ...createLogger('silent'), info }
  const { server } = await devWithPage(await app(), { customLogger })
  const network = ['http://192.0.2.1:5173/']
  server.resolvedUrls = { local: ['http://localhost:5173/'], network }
  server.printUrls()
  expect(lines.filter((line) => line.includes('__prompts'))).toEqual([
    expect.stringMatching(/http:\/\/localhost:5173\/__prompts\/$/),
  ])
})

test('the page is turned off by `page: false`', async () => {
  const { url } = await devWithPage(await app(), { plugins: [prompts({ page: false })] })
  // Vite answers unknown paths of documents with the app.
  const { body } = await ask(`${url}/__prompts/`, { headers: { accept: 'text/html' } })
  expect(body).toContain('<title>App</title>')
})

test.each(['the app itself', 'another port of this machine'])(
  'a script of %s can neither read, act nor embed the page',
  async (origin) => {
    const project = await app()
    const { url } = await devWithPage(project)
    const target = await pageOf(url)
    const { lock } = await formOf(`${target}changes`, 'Check now')
    // A dev server of Vite has CORS.
    const html = { 'index.html': '<title>Other</title>' }
    const home = origin === 'the app itself' ? url : (await dev(await appFolder(html))).url
    const { page } = await visit(`${home}/`)
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
      const answers = requests.map(([address, options]) =>
        fetch(address, options).then((answer) => answer.text(), () => ''))
      return Promise.all(answers)
    })()`)
    // What is sent without CORS is not readable.
    expect(attempts.join('')).toBe('')
    await page.evaluate(`new Promise((done) => {
      const frame = document.createElement('iframe')
      Object.assign(frame, { src: '${target}', onload: done })
      document.body.append(frame)
    })`)
    // Not even the refusal is shown there.
    expect(page.frames().at(-1)?.url()).toMatch(/^chrome-error:/)
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
  },
)

test('each workspace has a page at its own path, with its lock', async () => {
  const project = await app()
  const pinned = lockText(liveLock({ slug: 'on-server' }))
  await writeFile(join(project.root, 'billing-prompts.lock.json'), pinned)
  const key = { baseUrl: project.service.url, apiKey: KEY }
  const plugins = [prompts(key), prompts({ name: 'billing-prompts', ...key })]
  const { url } = await devWithPage(project, { plugins })
  const shown = async (path: string): Promise<string> =>
    (await ask(`${await pageOf(url, path)}prompts`)).body
  expect(await shown('/__prompts/')).toMatch(/2 prompts pinned[^]*>prompts\.lock\.json/)
  expect(await shown('/__billing-prompts/')).toMatch(/1 prompt pinned[^]*>billing-prompts\.lock/)
})

test('a build contains nothing of the page', async () => {
  const { root } = await app()
  const plugins = [prompts({ client: 'allow' })]
  const settings = { root, configFile: false, logLevel: 'silent', plugins } as const
  const output = JSON.stringify(await build({ ...settings, build: { write: false } }))
  expect(output).toContain('Be kind.')
  expect(output).not.toMatch(/__prompts|preact/)
})
