import * as fc from 'fast-check'
import { indexParts, type Lock, type PinnedPrompt, sortParts } from '../../src/core/prompt.ts'
import { missingSettings } from '../../src/core/settings.ts'

/** Texts that break what is not careful: every field of every prompt is fed from them. */
export const HOSTILE: readonly string[] = [
  '{{ ticket }}',
  '{{ticket}}',
  '{{\tticket }}',
  '{{ naïve.größe-1 }}',
  '{{__proto__}}',
  '{{constructor}}',
  '{{{a}}}',
  '{{',
  '}}',
  '{{ {{a}}',
  '{{#if x}}',
  '{{}}',
  '`',
  '${process.exit(1)}',
  '\\',
  '\\u0041',
  '"',
  "'",
  '\r\n',
  '\r',
  '\n',
  '\t',
  '\0',
  '\u2028',
  '\u2029',
  '\u0085',
  '\ufeff',
  '</script>',
  '<!--',
  '-->',
  '*/',
  '/*',
  '//',
  '@deprecated',
  '{@link x}',
  '\u202e',
  '\u200b',
  '\u{e0041}',
  '\u{e0100}',
  '\u001b[31m',
  '\u001b]8;;http://x\u0007',
  '\u009b2J',
  '\n::error::x',
  '\u0085::error::x',
  '##[set-output name=x;]y',
  '##\ufe0f[add-path]y',
  '##vso[task.setvariable variable=x]y',
  "##teamcity[buildStatus text='x']",
  '\u001b[0Ksection_start:0:x\r\u001b[0K',
  '$&',
  '$1',
  '__proto__',
  'constructor',
  'default',
  'then',
  '😀',
  '👩‍💻',
  'é',
  'e\u0301',
  ' ',
]

/** A line of output that a CI server runs as a command, or that opens a section in its log. */
export const COMMAND: RegExp = /^[\s\u0085]*::|##\ufe0f*\w*\ufe0f*\[|section_start:.*\r/m

/** Any code point except surrogates. fast-check needs more than a second to create its unit `binary`. */
export const character: fc.Arbitrary<string> = fc
  .nat(0x10_f7_ff)
  .map((index) => String.fromCodePoint(index < 0xd8_00 ? index : index + 0x8_00))

const piece: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: character, maxLength: 12 }),
)

/** Any text of whole characters, mostly of hostile pieces. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(piece, { maxLength: 8 })
  .map((pieces) => pieces.join(''))

/** White space that may join system and user text. */
const join: fc.Arbitrary<string> = fc.constantFrom('', '\n\n', '\n', ' ', '\r\n', '\u2028\t')

/** Any live part of a lock. */
export const hostilePrompt: fc.Arbitrary<PinnedPrompt> = fc
  .record({
    slug: hostileText,
    folder: hostileText,
    model: hostileText,
    temperature: fc.option(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    ),
    version: hostileText,
    system: hostileText,
    user: hostileText,
    source: fc.oneof(join, hostileText),
    joined: fc.boolean(),
    held: fc.option(fc.record({ reason: hostileText }), { freq: 3 }),
  })
  .map(({ joined, source, held, ...prompt }) => ({
    ...missingSettings(),
    ...prompt,
    environment: 'live',
    ...(held === null ? {} : { held }),
    source: joined ? prompt.system + source.replaceAll(/\S/g, '') + prompt.user : source,
  }))

/** Any prompts of one workspace: no slug twice. */
const hostilePrompts: fc.Arbitrary<PinnedPrompt[]> = fc.uniqueArray(hostilePrompt, {
  selector: ({ slug }) => slug,
  maxLength: 6,
})

/** Any lock: each prompt has a live part, a staging part or both. */
export const hostileLock: fc.Arbitrary<Lock> = fc
  .record({
    live: hostilePrompts,
    staging: fc.array(hostilePrompt, { maxLength: 3 }),
    isOfLive: fc.boolean(),
  })
  .map(({ live, staging, isOfLive }) => {
    const staged = staging.map((part, index) => {
      const slug = isOfLive ? live[index]?.slug : undefined
      return { ...part, environment: 'test' as const, slug: slug ?? part.slug }
    })
    return { parts: sortParts([...live, ...indexParts(staged).values()]) }
  })
