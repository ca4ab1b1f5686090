import { EventEmitter } from 'node:events'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'

/**
 * Live fan-out to current subscribers, without storage: the database has the facts, the bus only says that there are
 * new ones. In process, or over Redis for many nodes. Messages are JSON.
 */
export interface Bus {
  publish(topic: string, message: unknown): void
  subscribe(topic: string, listener: (message: unknown) => void): () => void
  close(): Promise<void>
}

export function createBus(redisUrl: string | undefined, log: Logger): Bus {
  return redisUrl === undefined ? createLocalBus(log) : createRedisBus(redisUrl, log)
}

/** A failing listener affects neither the publisher nor other listeners. */
function tell(topics: EventEmitter, topic: string, message: unknown, log: Logger): void {
  for (const listener of topics.listeners(topic)) {
    try {
      Reflect.apply(listener, undefined, [message])
    } catch (error) {
      log.error({ err: error }, 'defect: a listener of the live fan-out failed')
    }
  }
}

function createLocalBus(log: Logger): Bus {
  const topics = new EventEmitter().setMaxListeners(0)
  return {
    publish: (topic, message) => tell(topics, topic, message, log),
    subscribe(topic, listener) {
      topics.on(topic, listener)
      return () => topics.off(topic, listener)
    },
    close: async () => void topics.removeAllListeners(),
  }
}

const PREFIX = 'parley:'

function createRedisBus(url: string, log: Logger): Bus {
  const options = { maxRetriesPerRequest: 2, retryStrategy: (attempt: number) => Math.min(attempt * 200, 5000) }
  const publisher = new Redis(url, options)
  const subscriber = new Redis(url, options)
  for (const client of [publisher, subscriber]) client.on('error', (error: Error) => log.warn({ err: error }, 'redis'))
  const topics = new EventEmitter().setMaxListeners(0)
  const failed = (error: unknown) => log.warn({ err: error }, 'live fan-out')
  subscriber.on('message', (channel: string, text: string) => {
    const message = parsed(text)
    if (message === undefined) log.warn('live fan-out: somebody else writes to this Redis')
    else tell(topics, channel, message, log)
  })
  return {
    publish: (topic, message) => void publisher.publish(PREFIX + topic, JSON.stringify(message)).catch(failed),
    subscribe(topic, listener) {
      const channel = PREFIX + topic
      if (topics.listenerCount(channel) === 0) void subscriber.subscribe(channel).catch(failed)
      topics.on(channel, listener)
      return () => {
        topics.off(channel, listener)
        if (topics.listenerCount(channel) === 0) void subscriber.unsubscribe(channel).catch(failed)
      }
    },
    async close() {
      subscriber.disconnect()
      publisher.disconnect()
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The topic of a user's live channel. */
export function userTopic(userId: string): string {
  return `user:${userId}`
}
