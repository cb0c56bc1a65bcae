// What the nightly check of Next looks at in each version and mode.
import assert from 'node:assert'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inBrowser } from '../apps/browser.js'
import { pinned, scriptsIn, write } from '../apps/files.js'
import { has, KEY, TEST_KEY, USED, yesIn } from '../apps/results.js'
import { run, serveCommand, succeed, withServer } from '../apps/run.js'
import { RENDERED } from '../apps/sources.js'
import { steps } from '../frameworks/steps.js'
import { CLIENT_PAGE, LEAK_PAGE, STAGING_ROUTE } from './app.js'

/** Each returns "yes", some with seconds, or throws. */
export const checks = {
  /** Only compiling fails without a lock, with its code. */
  async 'no lock'({ root, build, lock, locks }) {
    await succeed(root, ['npx', 'next', 'typegen'])
    await refused(root, build, /LOCK_MISSING/)
    writeFileSync(lock, locks.old)
    return 'yes'
  },

  dev: steps.dev,

  async 'live update'({ server, paths, lock, locks }) {
    const seconds = await change(server, () => writeFileSync(lock, locks.new))
    const first = await server.ask(paths[0], has('v23'))
    for (const path of paths) await server.ask(path, has('v23'))
    await server.ask('/api/prompt', ({ header }) => header === 'v23')
    return yesIn(seconds + first.seconds)
  },

  /** A broken lock is an error with its code, and the app works again when it is fixed. */
  async errors({ server, lock, locks }) {
    writeFileSync(lock, locks.new.slice(0, 300))
    await server.ask('/api/prompt', ({ status }) => status === 500)
    assert.match(server.output.join(''), /LOCK_SYNTAX/)
    await change(server, () => writeFileSync(lock, locks.old))
    await server.ask('/api/prompt', has('v22'))
    await server.stop()
    return 'yes'
  },

  /** A dev server that starts on a cache from before the lock changed. */
  async 'warm cache'({ root, dev, lock, locks }) {
    writeFileSync(lock, locks.new)
    try {
      const { seconds } = await withServer(serveCommand(root, dev), (server) =>
        server.ask('/api/prompt', has('v23')),
      )
      return yesIn(seconds)
    } finally {
      writeFileSync(lock, locks.old)
    }
  },

  build: steps.build,

  async run(app) {
    await steps.run(app)
    await withServer(serveCommand(app.root, app.run), (server) =>
      server.ask('/api/prompt', ({ header }) => header === 'v22'),
    )
    return 'yes'
  },

  'unused dropped': steps['unused dropped'],

  /** An edit goes from staging to some users by a flag, to a preview over the same caches, and then to live. */
  async staging({ root, build, run: start, lock, locks, keepsUnused }) {
    const path = '/api/staging'
    write(root, { [`app${path}/route.ts`]: STAGING_ROUTE })
    const built = async (variables, ...versions) => {
      await succeed(root, build, variables)
      await withServer(serveCommand(root, start), async (server) => {
        for (const [index, url] of [path, `${path}?early=1`].entries()) {
          const { text } = await server.ask(url, ({ status }) => status === 200)
          assert.deepEqual(JSON.parse(text), versions[index])
        }
      })
    }
    const live = { version: 'v22', environment: 'live', isSame: false }
    const staged = { version: 'v23', environment: 'test' }
    const preview = { ...staged, isSame: true }
    const published = { ...preview, environment: 'live' }
    try {
      writeFileSync(lock, locks.staged)
      await built({}, live, { ...staged, isSame: false })
      const code = scriptsIn(join(root, '.next/server'))
      for (const { slug, part } of pinned(locks.staged)) {
        const isKept = slug === USED || keepsUnused
        assert.equal(code.includes(part), isKept, `${slug} in code for the server`)
      }
      await built({ PROMPTS_ENVIRONMENT: 'test' }, preview, preview)
      writeFileSync(lock, locks.new)
      await built({}, published, published)
    } finally {
      writeFileSync(lock, locks.old)
    }
    for (const name of ['app/api/staging', '.next/types'])
      rmSync(join(root, name), { recursive: true })
    await succeed(root, ['npx', 'next', 'typegen'])
    return 'yes'
  },

  types: steps.types,

  /** The configuration of `create-next-app` accepts the declarations. */
  async lint({ root, major }) {
    await succeed(root, ['npx', 'eslint', '--max-warnings', '0', '.'])
    if (major < 16) await succeed(root, ['npx', 'next', 'lint', '--max-warnings', '0'])
    return 'yes'
  },

  /** A client component shows the prompt in Chromium, and the build warns about it. */
  async 'client page'({ root, build, run: start, locks, keepsUnused }) {
    write(root, { 'app/client/page.tsx': CLIENT_PAGE })
    const { output } = await succeed(root, build)
    assert.match(output, /PROMPTS_IN_CLIENT/)
    const client = scriptsIn(join(root, '.next/static'))
    for (const { slug, part } of pinned(locks.old)) {
      const isKept = slug === USED || keepsUnused
      assert.equal(client.includes(part), isKept, `${slug} in code for browsers`)
    }
    await withServer(serveCommand(root, start), async (server) => {
      await server.ask('/client', ({ status }) => status === 200)
      await inBrowser(`${server.url}/client`, async (page) => {
        await page.getByRole('button').click()
        await page.getByText(new RegExp(`^pressed [^]*${RENDERED}`)).waitFor()
      })
    })
    return 'yes'
  },

  /** Refuses an import in a client component, also one that is not static. */
  async guard(app) {
    await steps.guard(app)
    for (const name of ['prompts.config.json', 'app/client'])
      rmSync(join(app.root, name), { recursive: true })
    return 'yes'
  },

  /** Fails a build that publishes the key: in a variable, or by Next's option `env`. */
  async 'key in code'({ root, build, files }) {
    // The key that this build does not use.
    const known = { PROMPTS_API_KEY: KEY, PROMPTS_TEST_API_KEY: TEST_KEY }
    const published = await run(root, build, { ...known, NEXT_PUBLIC_KEY: TEST_KEY })
    assert.match(published.output, /KEY_PUBLISHED/)
    const config = files['next.config.ts'].replace(
      '= {}',
      '= { env: { LEAK: process.env.PROMPTS_TEST_API_KEY } }',
    )
    const button = files['app/button.tsx'].replace("'pressed'", 'process.env.LEAK')
    write(root, { 'next.config.ts': config, 'app/button.tsx': button })
    await refused(root, build, /KEY_IN_BUNDLE/, known)
    write(root, files)
    return 'yes'
  },

  /** Fails a build that prerenders the key, and warns about Next's copy of `.env`. */
  async 'key in output'({ root, build, files }) {
    const config = files['next.config.ts'].replace('= {}', "= { output: 'standalone' }")
    write(root, { 'next.config.ts': config, '.env': `PROMPTS_API_KEY=${KEY}\n` })
    const { output } = await succeed(root, build)
    assert.match(output, /standalone.*\.env contains a key/)
    write(root, { 'app/leak/page.tsx': LEAK_PAGE })
    await refused(root, build, /KEY_IN_BUNDLE[^]*leak/)
    write(root, files)
    for (const name of ['.env', 'app/leak']) rmSync(join(root, name), { recursive: true })
    return 'yes'
  },
}

async function refused(root, command, message, variables) {
  const { code, output } = await run(root, command, variables)
  assert.notEqual(code, 0, output)
  assert.match(output, message)
}

/**
 * Changes the lock and waits until Turbopack has compiled, and returns the seconds. In Next 16.4, a route
 * handler that is requested while it compiles keeps its old code, whatever file has changed. webpack
 * compiles when a page is requested.
 */
export async function change(server, writeLock) {
  const count = compiled(server)
  const begin = performance.now()
  writeLock()
  if (!server.output.join('').includes('(Turbopack)')) return 0
  await server.until(() => compiled(server) > count, 'Compiled')
  return (performance.now() - begin) / 1000
}

function compiled({ output }) {
  return output.join('').split('Compiled').length
}
