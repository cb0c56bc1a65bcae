import { pluralize } from '../../core/text/pluralize.ts'

/**
 * `1,234 characters, about 309 tokens`: one per four characters for every model. Real tokenizers differ by
 * language and model, and none of them is small.
 */
export function sizeOf(characters: number): string {
  return `${pluralize(characters, 'character')}, about ${pluralize(Math.ceil(characters / 4), 'token')}`
}

const TIME = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** `14:05`, of milliseconds since 1970. */
export function clockTime(time: number): string {
  return TIME.format(time)
}
