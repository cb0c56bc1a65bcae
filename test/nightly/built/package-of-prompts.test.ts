import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createServer } from 'vite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runBinary } from '../../helpers/binary.ts'
import { installedApp, runNode } from '../../helpers/installed-app.ts'
import { testService, type TestService } from '../../helpers/local-service.ts'
import { SOON } from '../../helpers/soon.ts'
import { TSC } from '../../built/installed-commands.ts'

const REPOSITORY = resolve(import.meta.dirname, '../../..')
const PAGE = join(REPOSITORY, 'src/docs/monorepos.md')
const TRIAGE = { slug: 'support-triage', version: 'v22', system: 'Be {{ tone }}: {{ ticket }}' }

interface Monorepo {
  readonly owner: string
  readonly app: string
  readonly service: TestService
}

/** The files of the page, with the packages linked as a package manager does. */
async function monorepo(): Promise<Monorepo> {
  const [, section = ''] = (await readFile(PAGE, 'utf8')).split('## A package with the prompts')
  const blocks = section.matchAll(/^```\w+\n\/\/ (\S+)\n(.*?)^```/gms)
  const files = Object.fromEntries(Array.from(blocks, ([, path = '', code = '']) => [path, code]))
  const root = await installedApp({
    files: {
      ...files,
      'apps/web/src/staging.ts': `import { prompts } from '@acme/prompts'
import { prompts as staging } from '@acme/prompts/staging'

export const isSame: boolean = staging.supportTriage === prompts.supportTriage
`,
      'apps/web/index.html': '<script type="module" src="/src/main.ts"></script>',
      'apps/web/tsconfig.json': `{ "compilerOptions": { "module": "preserve", "strict": true, "noEmit": true } }`,
    },
  })
  const [owner, app] = [join(root, 'packages/prompts'), join(root, 'apps/web')]
  // As pnpm does: an app finds only what its own package names.
  await rm(join(root, 'node_modules'), { recursive: true })
  await link(REPOSITORY, join(owner, 'node_modules/unplugin-prompts'))
  await link(owner, join(app, 'node_modules/@acme/prompts'))
  const service = await testService([TRIAGE])
  expect(await runBinary(['pull'], { cwd: owner, env: service.live })).toMatchObject({ code: 0 })
  return { owner, app, service }
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await symlink(target, path)
}

test('an app builds with the package, and TypeScript knows its variables and staging versions', async () => {
  const { app } = await monorepo()
  const vite = join(REPOSITORY, 'node_modules/vite/bin/vite.js')
  expect(await runNode([vite, 'build'], app)).toMatchObject({ code: 0 })
  const [file = ''] = await readdir(join(app, 'dist/assets'))
  expect(await readFile(join(app, 'dist/assets', file), 'utf8')).toContain('Be ')
  expect(await runNode([TSC], app)).toMatchObject({ code: 0 })
})

test('a dev server shows what was pulled, without a restart, and a pull what breaks the app', async () => {
  const { owner, app, service } = await monorepo()
  const server = await createServer({
    root: app,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false, watch: { usePolling: true, interval: 50 } },
  })
  onTestFinished(() => server.close())
  const send = vi.spyOn(server.ws, 'send')
  const generated = (name: string): string => join('/@fs', owner, `generated/${name}.js`)
  const definitions = generated('definitions')
  // As a browser, which requests what each module imports.
  for (const url of ['/src/main.ts', generated('index'), generated('all')])
    await server.transformRequest(url)
  expect((await server.transformRequest(definitions))?.code).toContain('Be ')
  service.serve({ ...TRIAGE, version: 'v23', system: 'Stay {{ tone }}: {{ ticket }}' })
  expect(await runBinary(['pull'], { cwd: owner, env: service.live })).toMatchObject({ code: 0 })
  const reload: unknown = expect.objectContaining({ type: 'full-reload' })
  await vi.waitFor(() => expect(send).toHaveBeenCalledWith(reload), SOON)
  expect((await server.transformRequest(definitions))?.code).toContain('Stay ')
  service.serve({ ...TRIAGE, version: 'v24', system: 'Be {{ mood }}: {{ ticket }}' })
  const run = await runBinary(['pull', '--json'], { cwd: owner, env: service.live })
  expect(run.code).toBe(3)
  expect(JSON.parse(run.stdout)).toMatchObject({
    impact: [{ file: '../../apps/web/src/main.ts', line: 3, kind: 'compile' }],
  })
})
