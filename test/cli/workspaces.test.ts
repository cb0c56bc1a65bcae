import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { APP_TSCONFIG, installTypes } from '../helpers/app-folder.ts'
import { folderWith, prompts } from '../helpers/cli.ts'
import { testService, type TestService } from '../helpers/local-service.ts'

const GREETING = { slug: 'greeting', version: 'v1', system: 'Greet {{ name }}' }
const INVOICE = { slug: 'invoice', version: 'v1', system: 'Bill {{ customer }}' }

const MAIN = `import { prompts } from 'virtual:prompts'
import { prompts as billing } from 'virtual:billing-prompts'
prompts.greeting.render({ name: 'Ada' })
billing.invoice.render({ customer: 'Ada' })
`

/** An app that uses prompts from two workspaces, each pinned, with the variables for both. */
async function appOfTwo(): Promise<{
  cwd: string
  env: Record<string, string>
  billing: TestService
}> {
  const [first, billing] = await Promise.all([testService([GREETING]), testService([INVOICE])])
  const env = {
    ...first.live,
    BILLING_PROMPTS_BASE_URL: billing.live['PROMPTS_BASE_URL'] ?? '',
    BILLING_PROMPTS_API_KEY: billing.live['PROMPTS_API_KEY'] ?? '',
  }
  const cwd = await folderWith({
    'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "*.d.ts"]'),
    'src/main.ts': MAIN,
    'billing-prompts.config.mjs': `export default { lock: 'locks/billing.json' }`,
    'locks/.gitkeep': '',
  })
  await installTypes(cwd)
  for (const args of [['pull'], ['pull', '--name', 'billing-prompts']]) {
    expect(await prompts(args, { cwd, env })).toMatchObject({ code: 0 })
  }
  return { cwd, env, billing }
}

describe('two workspaces of one app', () => {
  test('have separate files and uses, selected by --name', async () => {
    const { cwd, env, billing } = await appOfTwo()
    const text = (name: string): Promise<string> => readFile(join(cwd, name), 'utf8')
    expect(await text('prompts.lock.json')).toMatch(/"greeting"/)
    expect(await text('prompts.d.ts')).toMatch(/"virtual:prompts"[^]*"greeting"/)
    expect(await text('locks/billing.json')).toMatch(/"invoice"/)
    expect(await text('billing-prompts.d.ts')).toMatch(/"virtual:billing-prompts"[^]*"invoice"/)
    const run = (line: string): ReturnType<typeof prompts> => prompts(line.split(' '), { cwd, env })
    expect((await run('check')).code).toBe(0)
    expect((await run('check --name billing-prompts')).code).toBe(0)
    billing.serve({ ...INVOICE, version: 'v2', system: 'Bill {{ customer }} {{ amount }}' })
    const impact = await run('diff --impact --name billing-prompts')
    expect(impact.stdout).toMatch(/src\/main\.ts:4:\d+ +invoice +`render` needs `amount`/)
    const usage = await run('list --usage --json --name billing-prompts')
    expect(usage.stdout).toMatch(/"invoice"[^]*"line": ?4/)
    expect((await run('list --usage --json')).stdout).toMatch(/"greeting"[^]*"line": ?3/)
  })

  test('appear in every suggested command', async () => {
    const { cwd, env, billing } = await appOfTwo()
    billing.serve({ ...INVOICE, version: 'v2', system: 'Bill {{ customer }} now' })
    await writeFile(join(cwd, 'billing-prompts.d.ts'), '')
    const run = async (...args: string[]): Promise<string> => {
      const { stdout, stderr } = await prompts([...args, '--name', 'billing-prompts'], { cwd, env })
      return stdout + stderr
    }
    const check = await run('check')
    expect(check).toContain('`npx prompts generate --name billing-prompts`')
    expect(check).toContain('`npx prompts pull --name billing-prompts`')
    expect(await run('check', '--format', 'github')).toMatch(
      /^::error .*%0A.*`npx prompts pull --name billing-prompts`/m,
    )
    expect(await run('diff', '--format', 'markdown')).toMatch(
      /^<!-- unplugin-prompts billing-prompts -->\n### billing-prompts: /,
    )
    await rm(join(cwd, 'locks/billing.json'))
    const pull = await run('pull', 'invoice')
    expect(pull).toContain('`npx prompts pull --name billing-prompts`')
    await run('pull')
    const declared = await readFile(join(cwd, 'billing-prompts.d.ts'), 'utf8')
    expect(declared).toContain('`npx prompts pull --name billing-prompts`')
    const { stderr } = await prompts(['check', '--name', 'billing-prompts'], { cwd })
    expect(stderr).toContain('`npx prompts check --offline --name billing-prompts`')
  })

  test.each(['../billing', 'Billing'])('cannot be called %j', async (name) => {
    const run = await prompts(['pull', '--name', name], { cwd: await folderWith() })
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('OPTIONS_INVALID') })
  })
})
