/**
 * Finds the impact of a change in a thread of its own, since a type check of an app may take
 * seconds. {@link findImpactInThread} starts it.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { findImpact, type ImpactRequest } from './impact.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
parentPort?.postMessage(await findImpact(workerData as ImpactRequest))
