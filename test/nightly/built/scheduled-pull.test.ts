import { readFile, writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { APP_TSCONFIG } from '../../helpers/app-folder.ts'
import { REPLY, TRIAGE } from '../../helpers/breaking-update.ts'
import { prompts } from '../../helpers/cli.ts'
import { commitAll, git } from '../../helpers/git-repository.ts'
import { installedApp } from '../../helpers/installed-app.ts'
import { startLocalServer } from '../../helpers/local-server.ts'
import { testService, type TestService } from '../../helpers/local-service.ts'
import { parsedLock } from '../../helpers/pinned.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { recipe } from '../../helpers/workflow-page.ts'
import { installCommands } from '../../built/installed-commands.ts'
import { runLines } from '../../built/shell.ts'

const NEW_REPLY = { ...REPLY, version: 'v4', system: 'Hello {{ name }}' }
const NEW_TRIAGE = { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} by {{ tone }}' }
/** What the app has pinned, one update that breaks no line of it, and the same with one that does. */
const [PINNED, SAFE, MIXED] = [
  [REPLY, TRIAGE],
  [NEW_REPLY, TRIAGE],
  [NEW_REPLY, NEW_TRIAGE],
] as const

/** A committed app with an origin, and the service that it pulled from. */
interface AppWithOrigin {
  readonly root: string
  /** The bare repository. */
  readonly origin: string
  readonly service: TestService
  /** Runs lines as a CI job does. */
  shell(lines: readonly string[], env: Readonly<Record<string, string>>): Promise<string>
}

/** An app of two prompts, whose last commit is on `main` of a local bare repository. */
async function appWithOrigin(files: Readonly<Record<string, string>> = {}): Promise<AppWithOrigin> {
  const service = await testService(PINNED)
  const root = await installedApp({
    files: {
      ...files,
      '.gitignore': 'node_modules\n',
      'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
      'src/main.ts': `import { prompts } from 'virtual:prompts'
export const texts = [prompts.triage.render({ ticket: '' }), prompts.reply.render({ name: '' })]
`,
    },
  })
  const bin = await installCommands(root)
  await prompts(['pull'], { cwd: root, env: service.live })
  commitAll(root)
  const origin = await temporaryFolder()
  git(origin, 'init', '--quiet', '--bare', '--initial-branch', 'main')
  git(origin, 'config', 'receive.advertisePushOptions', 'true')
  git(root, 'remote', 'add', 'origin', origin)
  git(root, 'push', '--quiet', 'origin', 'main')
  service.forget()
  const PATH = `${bin}:${process.env['PATH']}`
  return { root, origin, service, shell: (lines, env) => runLines(lines, root, { PATH, ...env }) }
}

/** The prompts that a branch of the origin pins, as `slug@version`. */
function pinnedOn(origin: string, branch: string): string[] {
  const lock = parsedLock(git(origin, 'show', `${branch}:prompts.lock.json`))
  return lock.parts.map(({ slug, version }) => `${slug}@${version}`)
}

const ONE_READ = [
  'GET /api/v1/prompts 200',
  'GET /api/v1/prompts 200',
  'GET /api/v1/prompts/reply 200',
  'GET /api/v1/prompts/triage 200',
]
const [BEFORE, UPDATED] = [
  ['reply@v3', 'triage@v22'],
  ['reply@v4', 'triage@v22'],
]
const LEFT = /\*\*Left as pinned\*\*.*`triage`/s

/** A step of a GitHub workflow. */
interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

test('the GitHub workflow takes what is safe from one read, and reports what it left', async () => {
  const { root, service, shell } = await appWithOrigin()
  const { jobs } = recipe('.github/workflows/prompts.yml') as {
    jobs: { pull: { steps: Step[] } }
  }
  const { steps } = jobs.pull
  const folder = await temporaryFolder()
  service.serve(...MIXED)
  const lines = steps.flatMap(({ run }) => run ?? [])
  await shell(lines, { ...service.live, RUNNER_TEMP: folder })
  expect(service.asked().toSorted()).toEqual(ONE_READ)
  expect(git(root, 'status', '--porcelain')).toBe(' M prompts.d.ts\n M prompts.lock.json\n')
  const request = steps.find(({ uses }) => uses?.includes('create-pull-request'))?.with
  const body = String(request?.['body-path']).replace('${{ runner.temp }}', folder)
  expect(await readFile(body, 'utf8')).toMatch(LEFT)
  expect(request?.['token']).toBe('${{ steps.app.outputs.token }}')
})

test(
  'the GitLab job opens one merge request from one read, updates and replaces it, merges nothing, and ends it',
  { timeout: 180_000 },
  async () => {
    const { team, runJob, gitlab } = await gitlabApp()
    const { origin, service } = team
    await runJob()
    service.forget()
    service.serve(...SAFE)
    await runJob()
    expect(service.asked().toSorted()).toEqual(ONE_READ)
    expect(pinnedOn(origin, 'main')).toEqual(BEFORE)
    expect(pinnedOn(origin, 'prompts/update')).toEqual(UPDATED)
    expect(await readFile(join(origin, 'options'), 'utf8')).toBe(
      'merge_request.create merge_request.target=main\n',
    )
    const first = git(origin, 'rev-parse', 'prompts/update')
    service.serve(...MIXED)
    await runJob()
    expect(git(origin, 'rev-parse', 'prompts/update')).toBe(first)
    const path = '/projects/7/merge_requests/3'
    const left = expect.stringMatching(LEFT)
    expect(gitlab.changes).toMatchObject([{ path }, { path, description: left }])
    // A newer update replaces this one, and the branch is deleted if none is left.
    service.serve(...SAFE, { slug: 'summary', version: 'v1' })
    await runJob()
    expect(pinnedOn(origin, 'prompts/update')).toEqual(['reply@v4', 'summary@v1', 'triage@v22'])
    expect(git(origin, 'rev-list', '--count', 'main..prompts/update')).toBe('1\n')
    service.serve(...PINNED)
    await runJob()
    expect(git(origin, 'branch', '--list')).toBe('* main\n')
  },
)

test('the GitLab job commits the files that the first staging version adds, and no others', async () => {
  const { team, runJob } = await gitlabApp({
    'prompts.config.json': '{ "outDir": "generated", "dts": false }',
  })
  const { origin, root, service } = team
  service.serve(REPLY, { ...TRIAGE, staging: { version: 'v23', system: 'Sort by {{ tone }}' } })
  await writeFile(join(root, 'cache.txt'), '')
  await runJob(service.both)
  const added = git(origin, 'diff', '--name-only', '--diff-filter', 'A', 'main', 'prompts/update')
  expect(added).toBe('generated/staging/all.js\ngenerated/staging/definitions.js\n')
})

/** Stands for GitLab's API: one open merge request. */
interface Gitlab {
  readonly url: string
  /** What it was asked to change. */
  readonly changes: { readonly path: string | undefined; readonly description: string | null }[]
}

async function startGitlab(): Promise<Gitlab> {
  const changes: Gitlab['changes'] = []
  const url = await startLocalServer(async (request, response) => {
    const body = new URLSearchParams(await text(request))
    if (request.method === 'PUT')
      changes.push({ path: request.url, description: body.get('description') })
    response.end(JSON.stringify([{ iid: 3 }]))
  })
  return { url, changes }
}

const JOB = {
  GITLAB_TOKEN: 'token',
  CI_SERVER_HOST: 'gitlab.example.com',
  CI_PROJECT_PATH: 'team/app',
  CI_PROJECT_ID: '7',
  CI_DEFAULT_BRANCH: 'main',
}
const REMOTE = 'https://oauth2:token@gitlab.example.com/team/app.git'

/** Keeps the options of a push. */
const HOOK = `#!/bin/sh
echo "$GIT_PUSH_OPTION_0 $GIT_PUSH_OPTION_1" > options
`

/**
 * An app whose origin has the address of a GitLab. A push of what is there already ends the local process
 * that receives it before Git has written all options, so Git got a SIGPIPE at times. Over HTTPS nothing
 * ends early; here `cat` reads everything.
 */
async function gitlabApp(files: Readonly<Record<string, string>> = {}): Promise<{
  team: AppWithOrigin
  gitlab: Gitlab
  runJob: (keys?: TestService['live']) => Promise<string>
}> {
  const [team, gitlab] = await Promise.all([appWithOrigin(files), startGitlab()])
  const { root, origin, service, shell } = team
  await writeFile(join(origin, 'hooks/post-receive'), HOOK, { mode: 0o755 })
  const config = join(await temporaryFolder(), 'config')
  const receive = String.raw`"sh -c 'cat | git receive-pack \"$1\"' sh"`
  const remote = `[remote "${REMOTE}"]\nreceivepack = ${receive}\n`
  await writeFile(config, `[url "${origin}"]\ninsteadOf = ${REMOTE}\n${remote}`)
  const { prompts: job } = recipe('.gitlab-ci.yml') as { prompts: { script: string[] } }
  const env = { ...JOB, CI_API_V4_URL: gitlab.url, GIT_CONFIG_GLOBAL: config }
  const runJob = (keys = service.live): Promise<string> => {
    git(root, 'checkout', '--quiet', '--detach', 'origin/main')
    return shell(job.script, { ...keys, ...env })
  }
  return { team, gitlab, runJob }
}
