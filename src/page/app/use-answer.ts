import { useEffect, useState } from 'preact/hooks'

/**
 * The answer to a request, which is made again when a key changes. Until then the last one stays.
 *
 * @param ask - may not fail
 * @returns `undefined` until the first answer
 */
export function useAnswer<Answer>(
  ask: () => Promise<Answer>,
  keys: readonly unknown[],
): Answer | undefined {
  const [answer, setAnswer] = useState<Answer>()
  useEffect(() => {
    let isCurrent = true
    void ask().then((next) => isCurrent && setAnswer(() => next))
    return () => void (isCurrent = false)
  }, keys)
  return answer
}
