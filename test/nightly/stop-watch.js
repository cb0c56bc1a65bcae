// README's first minutes with the published templates: from a new app to the first typed prompt rendered, in
// three commands: install, `prompts init --example`, and the app's own. Prints the seconds of each; exits with 1
// when one fails, or when a prompt with a wrong variable compiles.
//
// node test/nightly/stop-watch.js, after npm run build.
import assert from 'node:assert'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pack, write } from './apps/files.js'
import { inFolder } from './apps/folders.js'
import { run, serveCommand, succeed, withServer } from './apps/run.js'

const RENDER = "prompts.supportTriage.render({ ticket: 'It beeps', tone: 'calm' }).text"
const WRONG = `import { prompts } from 'virtual:prompts'
prompts.supportTriage.render({ tickt: 'It beeps', tone: 'calm' })
`

/** An app with a server of its own beside the page, and a tsconfig for it. */
const vite = {
  template: ['create-vite@latest', 'app', '--template', 'react-ts', '--no-interactive'],
  files: (root) => {
    const read = (name) => readFileSync(join(root, name), 'utf8')
    const manifest = JSON.parse(read('package.json'))
    manifest.scripts.build += ' && vite build --ssr server/api.ts --outDir dist-server'
    return {
      'package.json': JSON.stringify(manifest, undefined, 2),
      'tsconfig.json': read('tsconfig.json').replace(
        '"references": [',
        '"references": [{ "path": "./tsconfig.server.json" },',
      ),
      'tsconfig.server.json': read('tsconfig.node.json')
        .replace('tsconfig.node.tsbuildinfo', 'tsconfig.server.tsbuildinfo')
        .replace('"include": ["vite.config.ts"]', '"include": ["server"]'),
    }
  },
  code: {
    'server/api.ts': `import { createServer } from 'node:http'
import { prompts } from 'virtual:prompts'

createServer((_, response) => response.end(${RENDER})).listen(Number(process.env.PORT))
`,
  },
  wrong: 'server/wrong.ts',
  types: ['npx', 'tsc', '-b'],
  last: ['npm', 'run', 'build'],
  serve: () => [process.execPath, 'dist-server/api.js'],
  path: '/',
}

const next = {
  template: ['create-next-app@latest', 'app', '--yes', '--skip-install'],
  files: () => ({}),
  code: {
    'app/triage/page.tsx': `import { prompts } from 'virtual:prompts'

export default function Page() {
  return <pre>{${RENDER}}</pre>
}
`,
  },
  wrong: 'app/wrong.ts',
  types: ['npx', 'tsc', '--noEmit'],
  serve: (port) => ['npm', 'run', 'dev', '--', '--port', port],
  path: '/triage',
}

const rows = []
try {
  for (const [name, app] of Object.entries({ vite, next }))
    await inFolder((scratch) => firstPrompt(name, app, scratch))
} finally {
  console.table(rows)
}

async function firstPrompt(name, app, scratch) {
  const root = join(scratch, 'app')
  await succeed(scratch, ['npx', '--yes', ...app.template])
  write(root, app.files(root))
  // As a person has it who then reads README.
  await succeed(root, ['npm', 'install'])
  write(root, app.code)

  const archive = await pack(scratch)
  const installed = await succeed(root, ['npm', 'install', '--save-dev', archive])
  const init = await succeed(root, ['npx', 'prompts', 'init', '--yes', '--example'])
  const built = app.last && (await succeed(root, app.last))
  const server = serveCommand(root, app.serve)
  const fits = ({ status, text }) => status === 200 && text.includes('It beeps')
  const rendered = await withServer(server, ({ ask }) => ask(app.path, fits))

  await succeed(root, ['npx', 'prompts', 'check', '--offline', '--impact'])
  await succeed(root, app.types)
  write(root, { [app.wrong]: WRONG })
  const refused = await run(root, app.types)
  assert.match(refused.output, /tickt/, `${name}: a wrong variable compiles`)
  assert.equal((await run(root, ['npx', 'prompts', 'check', '--offline', '--impact'])).code, 3)
  rmSync(join(root, app.wrong))

  const steps = { install: installed, init, build: built, 'first answer': rendered }
  const cells = Object.entries(steps).map(([step, { seconds } = {}]) => {
    return [step, seconds === undefined ? 'none' : `${seconds.toFixed(1)} s`]
  })
  rows.push({ app: name, ...Object.fromEntries(cells) })
}
