import { describe, expect, test } from 'vitest'
import { catalogue } from '../../src/errors/catalogue.ts'
import { folderWith, prompts } from '../helpers/cli.ts'
import { testService } from '../helpers/local-service.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'

describe('prompts completion candidates', () => {
  test.each([
    { words: [''], includes: ['pull', 'show', 'completion'], excludes: ['--help'] },
    { words: ['pu'], includes: ['pull'], excludes: ['diff'] },
    { words: ['--'], includes: ['--help', '--root'], excludes: ['pull'] },
    { words: ['pull', '--d'], includes: ['--dry-run'], excludes: ['--help'] },
    { words: ['--json', 'diff', '--environment', ''], includes: ['live', 'test'] },
    { words: ['pull', '--root', ''], excludes: ['support-triage'] },
    { words: ['show', ''], includes: ['support-triage', 'support-reply'] },
    { words: ['ls', '--'], includes: ['--usage'] },
    {
      words: ['pull', 'support-triage', ''],
      includes: ['support-reply'],
      excludes: ['support-triage'],
    },
    { words: ['show', '', ''].slice(0, 2), excludes: ['$(id)', 'a b'] },
    { words: ['explain', 'LOCK_E'], includes: ['LOCK_EDITED'], excludes: ['LOCK_BUSY'] },
    { words: ['completion', ''], includes: ['bash', 'zsh', 'fish'] },
    { words: ['frobnicate', ''], excludes: ['pull', 'support-triage'] },
  ])('of $words', async ({ words, includes = [], excludes = [] }) => {
    const slugs = ['support-triage', 'support-reply', '$(id)', 'a b']
    const service = await testService(slugs.map((slug) => ({ slug, version: 'v1' })))
    const cwd = await pinnedProject(service)
    const run = await prompts(['completion', 'candidates', '--', ...words], { cwd })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const found = run.stdout.split('\n').map((line) => line.split('\t')[0])
    expect(found).toStrictEqual(expect.arrayContaining(includes))
    for (const value of excludes) expect(found).not.toContain(value)
  })

  test('are nothing but error codes after explain, in a folder without a project', async () => {
    const run = await prompts(['completion', 'candidates', '--', 'explain', ''], {
      cwd: await folderWith(),
    })
    expect(run.stdout.trimEnd().split('\n')).toHaveLength(Object.keys(catalogue).length)
  })
})

describe('prompts completion', () => {
  test.each(['bash', 'zsh', 'fish'])('prints a script for %s', async (shell) => {
    const cwd = await folderWith()
    const [plain, json] = [
      await prompts(['completion', shell], { cwd }),
      await prompts(['completion', shell, '--json'], { cwd }),
    ]
    expect(plain).toMatchObject({ code: 0, stderr: '' })
    expect(plain.stdout).toContain('completion candidates -- ')
    expect(JSON.parse(json.stdout)).toStrictEqual({ shell, script: plain.stdout })
  })

  test.each([[[]], [['tcsh']], [['bash', 'zsh']]])('exits with 2 for %j', async (args) => {
    const run = await prompts(['completion', ...args], { cwd: await folderWith() })
    expect(run).toMatchObject({ code: 2, stdout: '' })
  })
})
