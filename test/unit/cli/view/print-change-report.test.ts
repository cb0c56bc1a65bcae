import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changeRows, skippedRow } from '../../../../src/core/change-row.ts'
import { comparePrompts } from '../../../../src/core/compare.ts'
import { printChangeReport } from '../../../../src/cli/view/print-change-report.ts'
import { HOSTILE } from '../../../helpers/hostile.ts'
import { pinned } from '../../../helpers/pinned.ts'
import { sweep } from '../../../helpers/sweep.ts'

const before = [
  pinned({ slug: 'farewell' }),
  pinned({ slug: 'reply', system: '{{ ticket }} {{ customer }}' }),
  pinned({ slug: 'settings', temperature: 0.2 }),
  pinned({ slug: 'support-triage', system: 'Sort {{ ticket }}' }),
]
const after = [
  pinned({ slug: 'new' }),
  pinned({ slug: 'reply', system: '{{ ticket }}', version: 'v23' }),
  pinned({ slug: 'settings', temperature: 0.7 }),
  pinned({ slug: 'support-triage', system: 'Sort {{ ticket }} {{ tone }}', version: 'v23' }),
]

/** A line of a unified diff, as it is in the report. */
const DIFF_LINE = /^(?:[-+ ]|@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@$)/

const ERROR = { kind: 'compile', environment: 'live', message: '' } as const

describe('the report for a pull request', () => {
  test('shows changes by class, impact, and folded texts', () => {
    const changes = comparePrompts(before, after)
    const reason = '`render` needs `tone`, added in v23'
    const place = {
      file: 'src/a.ts',
      line: 3,
      column: 47,
      slug: 'support-triage',
      reason,
      ...ERROR,
    }
    const findings = [place]
    const rows = changeRows(changes, { findings })
    const report = printChangeReport({ rows, impact: { findings, files: 1 } })
    expect(decoded(report)).toMatchInlineSnapshot(`
      "<!-- unplugin-prompts -->
      ### Prompts: 1 breaking, 2 contract, 1 settings, 1 added

      |  | prompt | version | what |
      | --- | --- | --- | --- |
      | **breaking** | \`support-triage\` | \`v22\` → \`v23\` | +\`tone\`, system text changed |
      | contract | \`farewell\` | \`v22\` → gone | removed |
      | added | \`new\` | \`v22\` | no variables |
      | contract | \`reply\` | \`v22\` → \`v23\` | -\`customer\`, system text changed |
      | settings | \`settings\` | \`v22\` | temperature \`0.2\` → \`0.7\` |

      **1 line stops compiling**

      | where | prompt | why |
      | --- | --- | --- |
      | \`src/a.ts:3:47\` | \`support-triage\` | <code>render needs tone, added in v23</code> |

      <details open><summary><code>support-triage</code></summary>

      \`\`\`diff
      --- system
      +++ system
      @@ -1,1 +1,1 @@
      -Sort {{ ticket }}
      +Sort {{ ticket }} {{ tone }}
      \`\`\`

      </details>

      <details><summary><code>farewell</code></summary>

      \`\`\`diff
      --- system
      +++ system
      @@ -1,1 +0,0 @@
      -Be kind.
      \`\`\`

      </details>

      <details><summary><code>new</code></summary>

      \`\`\`diff
      --- system
      +++ system
      @@ -0,0 +1,1 @@
      +Be kind.
      \`\`\`

      </details>

      <details><summary><code>reply</code></summary>

      \`\`\`diff
      --- system
      +++ system
      @@ -1,1 +1,1 @@
      -{{ ticket }} {{ customer }}
      +{{ ticket }}
      \`\`\`

      </details>
      "
    `)
  })

  test('names a file that uses a prompt from the root of the repository', () => {
    const used = [{ slug: 'reply', files: ['src/main.ts'] }]
    const rows = changeRows(comparePrompts(before, after), { used })
    const report = printChangeReport({ folder: 'apps/web/', rows, impact: undefined })
    expect(report).toContain('`apps/web/src/main.ts`')
    expect(report).not.toContain('`src/main.ts`')
  })

  test('says so if nothing changed and no line stops compiling', () => {
    expect(printChangeReport({ rows: [], impact: { findings: [], files: 2 } })).toBe(
      '<!-- unplugin-prompts -->\n### Prompts: nothing changed\n\n\nno line stops compiling (2 files checked)\n',
    )
  })

  const hostile = fc
    .array(fc.constantFrom(...HOSTILE, '|', ...MARKDOWN.split('|')), { maxLength: 8 })
    .map((parts) => parts.join(''))

  test('escapes any text: nothing becomes markup, a mention or a link', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (slug, text, version) => {
        const changes = comparePrompts(
          [pinned({ slug, system: 'x', version: 'v1' })],
          [pinned({ slug, system: `${text}y`, version, model: text })],
        )
        const findings = [{ file: text, line: 1, column: 1, slug, reason: text, ...ERROR }]
        const rows = changeRows(changes, { findings })
        const { fenced, outside } = split(
          printChangeReport({ rows, impact: { findings, files: 1 } }),
        )
        expect(
          outside.join('\n').replaceAll(/`[\w./:-]+`|<code>[^<>@`|*_~[\]!\\]*<\/code>/g, 'X'),
        ).toMatch(
          /^<!-- unplugin-prompts -->\n### Prompts: [\w ,]+\n\n(?:\|[ |\w*→,+()-]+\|\n)+\n\*\*1 line stops compiling\*\*\n\n(?:\| [ |\wX-]+\|\n)+\n<details open><summary>X<\/summary>\n\n\n<\/details>\n$/,
        )
        expect(fenced.every((line) => DIFF_LINE.test(line))).toBe(true)
      }),
      sweep(),
    )
  })

  test('stays below the size limit of a comment, and says what was left out', () => {
    const text = 'x'.repeat(1000)
    const many = Array.from({ length: 200 }, (_, index) =>
      pinned({ slug: `a${index}`, system: text }),
    )
    const rows = changeRows(comparePrompts([], many))
    const report = printChangeReport({ rows, impact: undefined })
    expect(report.length).toBeLessThan(60_000)
    expect(report).toMatch(/\n… and \d+ more diffs, for which a comment has no room\.\n$/)
  })

  test('stays below the size limit of a comment if each table is long', () => {
    const slugs = Array.from({ length: 700 }, (_, index) => `a-prompt-of-the-help-desk-${index}`)
    const changes = comparePrompts(
      [],
      slugs.map((slug) => pinned({ slug })),
    )
    const findings = slugs.map((slug, line) => {
      const code = { text: 'prompts.helpDesk.render()', start: 8, length: 8 }
      return { file: 'src/help-desk.ts', line, column: 1, code, slug, reason: 'gone', ...ERROR }
    })
    const skipped = changes.map((change) => skippedRow(change, 'is in use'))
    const report = printChangeReport({
      rows: changeRows(changes, { findings }),
      impact: { findings, files: 1 },
      skipped,
      held: slugs.map((slug) => ({
        slug,
        environment: 'live',
        version: 'v1',
        reason: 'legal',
        update: null,
      })),
      kept: slugs.map((slug) => ({
        slug,
        environment: 'test',
        version: 'v1',
        listed: 'v2',
        reason: 'unread',
      })),
      edits: slugs.map((slug) => ({ file: `src/${slug}.ts`, places: [], patch: '' })),
    })
    expect(report.length).toBeLessThan(65_536)
    expect(report.match(/^… and \d+ more\.$/gm)).toHaveLength(6)
  })
})

/** What means something in Markdown or on a platform. */
const MARKDOWN =
  '@everyone|#1|```\n|~~~~\n|````|</details>\n|<img src=x>|![a](b)|\n/close\n|\n\n# A|[a](javascript:x)|&lt;|&#64;x|-->|***|http://x.y'

/** Decodes numeric character references, for readability. */
function decoded(markdown: string): string {
  return markdown.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

/** The lines inside of fences and those outside, by the rules of CommonMark 4.5. */
function split(markdown: string): { fenced: string[]; outside: string[] } {
  const [fenced, outside]: [string[], string[]] = [[], []]
  let fence = 0
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    const run = /^ {0,3}(`{3,})/.exec(line)?.[1]?.length ?? 0
    if (fence === 0 && run > 0) fence = run
    else if (fence > 0 && run >= fence && /^ {0,3}`+[ \t]*$/.test(line)) fence = 0
    else (fence > 0 ? fenced : outside).push(line)
  }
  return { fenced, outside }
}
