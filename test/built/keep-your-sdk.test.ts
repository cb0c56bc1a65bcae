import { createServer } from 'node:net'
import { once } from 'node:events'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import { codeBlocks } from '../helpers/document-code.ts'
import { installedApp, runNode } from '../helpers/installed-app.ts'
import { LANGFUSE_KEYS } from '../helpers/langfuse-server.ts'
import { liveLock } from '../helpers/pinned.ts'

const MAIN = `import { instructions } from './instructions.js'
console.log(JSON.stringify(await instructions('calm')))
`

test('with the code of the page, the pinned text is what the client of Langfuse falls back to', async () => {
  const [block = ''] = await codeBlocks('src/docs/keep-your-sdk.md')
  const { code: instructions } = await transform(block, { loader: 'ts' })
  const root = await installedApp({
    files: { 'app.js': MAIN, 'instructions.js': instructions },
    lock: liveLock({ slug: 'support-agent', system: 'Answer in a {{ tone }} tone.' }),
    packages: ['@langfuse/client', '@opentelemetry/api'],
  })
  const env = { ...LANGFUSE_KEYS, LANGFUSE_BASE_URL: await closedPort() }
  const run = await runNode(['--import', 'unplugin-prompts/register', 'app.js'], root, env)
  expect(run).toMatchObject({ code: 0 })
  expect(JSON.parse(run.stdout.split('\n').at(-2) ?? '')).toEqual({
    text: 'Answer in a calm tone.',
    isFallback: true,
  })
})

/** An address at which nobody listens any more. */
async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}
