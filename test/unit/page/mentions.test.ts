import { describe, expect, test } from 'vitest'
import { findMentions } from '../../../src/page/server/mentions.ts'

const SLUGS = new Map([
  ['support-triage', 'support-triage'],
  ['supportTriage', 'support-triage'],
  ['summary', 'summary'],
])

const IMPORT = `import { prompts } from 'virtual:prompts'\n`

const cases: readonly { readonly given: string; readonly want: Record<string, number[]> }[] = [
  { given: `${IMPORT}prompts.supportTriage.render()`, want: { 'support-triage': [2] } },
  { given: `${IMPORT}prompts['support-triage']`, want: { 'support-triage': [2] } },
  { given: `${IMPORT}prompts\n  .summary\nprompts?.summary`, want: { summary: [2, 4] } },
  {
    given: `${IMPORT}const { summary, supportTriage: t } = prompts`,
    want: { summary: [2], 'support-triage': [2] },
  },
  {
    given: `import { toOpenAI, prompts as p } from "virtual:prompts"\np.summary; p.summary`,
    want: { summary: [2] },
  },
  { given: `import * as all from 'virtual:prompts/all'\n\nall.summary`, want: { summary: [3] } },
  {
    given: `<script setup>\n${IMPORT}const a = prompts.summary\n</script>`,
    want: { summary: [3] },
  },
  { given: `${IMPORT}data.summary; myprompts.summary; x.prompts.summary`, want: {} },
  { given: `import { prompts } from './other'\nprompts.summary`, want: {} },
  { given: `${IMPORT}prompts[name]; prompts.unknown; prompts.constructor`, want: {} },
]

describe('the lines of a module that mention a prompt', () => {
  test.each(cases)('$given', ({ given, want }) => {
    expect(findMentions(given, SLUGS)).toEqual(want)
  })
})
