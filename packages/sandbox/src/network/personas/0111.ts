import { answers, go, machine, onStart, say, wait, type Persona } from '../persona.ts'

/** Does not listen while it talks, so it has the manners of a machine. */
export const talker: Persona = {
  number: '0111',
  about: "talks on and on, to the call's time limit",
  language: 'en',
  pickup: answers(),
  scenes: {
    first: machine(
      'warm',
      onStart(
        [
          say(
            'Oh hello, how lovely that somebody calls, I was just thinking about the garden, you know, with all this rain.',
          ),
          say(
            'My neighbor says it will be dry by the weekend, but he said that last week as well, and look at it now.',
          ),
          say('He has a dog, a big brown one, and it digs, it digs up everything, and I always tell him so.'),
          wait(400),
          say(
            'Anyway, my daughter is coming over from the coast with the children, and I still have to bake something.',
          ),
          say(
            'She likes the one with the plums, but there are no plums this early in the year, are there, so it will be apples.',
          ),
          say(
            'And the oven has been making that noise again, a kind of humming, I should really have somebody look at it.',
          ),
          wait(400),
          say(
            'When my husband was still alive he repaired everything himself, he had a whole room full of tools downstairs.',
          ),
          say(
            'I never go down there, the stairs are steep, and the light has been broken since the winter before last.',
          ),
          say('But what was I saying, yes, the garden, so I thought, why not put roses along the fence this time.'),
          wait(400),
          go('first'),
        ],
        { afterMs: 500 },
      ),
    ),
  },
}
