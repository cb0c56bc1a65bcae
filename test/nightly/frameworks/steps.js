// The columns of the table. Each step gives "yes", some with seconds, or throws.
import assert from 'node:assert'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BINARY, pinned, scriptsIn, write } from '../apps/files.js'
import { has, KEY, USED, yesIn } from '../apps/results.js'
import { run, serveCommand, succeed, withServer } from '../apps/run.js'
import { RENDERED } from '../apps/sources.js'

export const steps = {
  async init({ root, config: { name, before, entry }, files, documented, variables }) {
    write(root, { 'tsconfig.json': files['tsconfig.json'], [name]: before })
    await succeed(root, ['node', BINARY, 'init', '-y'], variables)
    const text = readFileSync(join(root, name), 'utf8')
    assert(text.includes(entry), `${name} has no ${entry}:\n${text}`)
    write(root, { ...documented, ...files })
    return 'yes'
  },

  async dev(app) {
    app.server = await serveCommand(app.root, app.dev, app.variables)
    const { seconds } = await app.server.ask(app.paths[0], has('v22'))
    for (const path of app.paths) await app.server.ask(path, has('v22'))
    if (app.page !== undefined)
      await app.server.ask(app.page, ({ status, text }) => status === 200 && text.includes('<html'))
    return yesIn(seconds)
  },

  async 'live update'(app) {
    const { server, paths } = app
    let seconds = 0
    await updateIn(app, async () => {
      ;({ seconds } = await server.ask(paths[0], has('v23')))
      for (const path of paths) await server.ask(path, has('v23'))
    })
    for (const path of paths) await server.ask(path, has('v22'))
    return yesIn(seconds)
  },

  async build({ root, build, variables }) {
    const { seconds } = await succeed(root, build, { ...variables, PROMPTS_API_KEY: KEY })
    return yesIn(seconds)
  },

  async run({ root, run: command, paths, rendered, variables }) {
    await withServer(
      serveCommand(root, command, { ...variables, HOST: '127.0.0.1' }),
      async (server) => {
        for (const path of paths) await server.ask(path, has('v22'))
        await server.ask(rendered, ({ text }) => text.includes(RENDERED))
      },
    )
    return 'yes'
  },

  async types({ root, types, wrong, documented, files, variables }) {
    const right = await run(root, types, variables)
    assert.equal(right.code, 0, right.output)
    write(root, wrong)
    const { output } = await run(root, types, variables)
    for (const file of Object.keys(wrong)) rmSync(join(root, file))
    write(root, { ...documented, ...files })
    const errors = output.split('\n').filter((line) => /error.*tickets/i.test(line))
    assert.equal(errors.length, Object.keys(wrong).length, output)
    return 'yes'
  },

  async 'unused dropped'({ root, output, isClientCode = false, keepsUnused = false, locks }) {
    const { server, client } = output
    const browser = client === undefined ? '' : scriptsIn(join(root, client))
    assert(client === undefined || browser.includes('pressed'), 'no code for browsers was found')
    const code = server === undefined ? undefined : scriptsIn(join(root, server))
    for (const { slug, part } of pinned(locks.old)) {
      const isUsed = slug === USED
      assert.equal(browser.includes(part), isUsed && isClientCode, `${slug} in code for browsers`)
      const isKept = isUsed || keepsUnused
      if (code !== undefined) assert.equal(code.includes(part), isKept, `${slug} for the server`)
    }
    assert(!`${browser}${code}`.includes(KEY), 'the key is in the code')
    return 'yes'
  },

  async guard({ root, build, client, variables }) {
    write(root, { ...client, ...guarded(root) })
    const { code, output } = await run(root, build, variables)
    assert.notEqual(code, 0, output)
    assert.match(output, /PROMPTS_IN_CLIENT/)
    return 'yes'
  },
}

/** The configuration file, which `init` may have written, with the strict guard. */
function guarded(root) {
  const name = 'prompts.config.ts'
  if (!existsSync(join(root, name))) return { 'prompts.config.json': '{ "client": "error" }' }
  const text = readFileSync(join(root, name), 'utf8')
  return { [name]: text.replace('defineConfig({', "defineConfig({\n  client: 'error',") }
}

/** Changes the lock for a while, and returns the seconds until the app shows it. */
export async function updateIn({ lock, locks }, shown) {
  const begin = performance.now()
  writeFileSync(lock, locks.new)
  try {
    await shown()
    return (performance.now() - begin) / 1000
  } finally {
    writeFileSync(lock, locks.old)
  }
}
