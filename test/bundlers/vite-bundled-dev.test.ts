import { createServer } from 'vite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SOON } from '../helpers/soon.ts'
import { liveLock } from '../helpers/pinned.ts'
import { newApp, writeLock } from './app.ts'
import { jobIn, viteConfig } from './configs.ts'

test('a dev server of Vite that bundles serves the text of a changed lock', async () => {
  const lock = (system: string): ReturnType<typeof liveLock> =>
    liveLock({ slug: 'greeting', system })
  const root = await newApp(
    {
      'index.html': `<script type="module" src="/main.js"></script>\n`,
      'main.js': `import { prompts } from 'virtual:prompts'\nconsole.log(prompts.greeting.render().text)\n`,
    },
    lock('First text'),
  )
  const { plugins = [] } = await viteConfig(jobIn(root, { options: { client: 'allow' } }))
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    plugins,
    experimental: { bundledDev: true },
    server: { port: 0 },
  })
  onTestFinished(() => server.close())
  await server.listen()
  const [url = ''] = server.resolvedUrls?.local ?? []
  const serves = async (text: string): Promise<void> => {
    const page = await (await fetch(url)).text()
    const [, script = ''] = /src="([^"]+\.js)"/.exec(page) ?? []
    const code = await (await fetch(new URL(script, url))).text()
    expect(code).toContain(text)
  }
  await vi.waitFor(() => serves('First text'), SOON)
  for (const text of ['Second text', 'Third text']) {
    await writeLock(root, lock(text))
    await vi.waitFor(() => serves(text), SOON)
  }
})
