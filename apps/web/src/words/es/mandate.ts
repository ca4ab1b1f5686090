import type { Words } from '../shape.ts'

export const mandate: Words['calls']['mandate'] = {
  legend: (objective) => `Qué se puede aceptar: ${objective}`,
  rules: {
    as_written: 'Como está escrito',
    exactly: 'Justo esto',
    within_limits: 'Dentro de unos límites',
    ask_me: 'Pregúntame antes',
  },
  hints: {
    exactly: 'No se acepta nada más. Otras ofertas te llegan a ti.',
    ask_me: 'No se acepta nada sin ti. Te llegan todas las ofertas.',
  },
  understood: (text) => `Entendido: ${text}`,
  fields: {
    price: 'Precio máximo en total',
    currency: 'Moneda',
    timeFrom: 'Hora más temprana',
    timeTo: 'Hora más tardía',
    dateFrom: 'Primer día',
    dateTo: 'Último día',
    peopleMin: 'Personas, como mínimo',
    peopleMax: 'Personas, como máximo',
    alternatives: 'Alternativas',
  },
  alternativesHint: 'Una en cada línea, la mejor primero',
  alternativesPlaceholder: 'Una mesa en la terraza',
  limitsHint: 'Rellena lo que importe. Las horas son las del lugar al que llamas.',
  problems: {
    none: 'Pon al menos un límite o elige otra opción.',
    price: 'Escribe el precio como número, por ejemplo 120 o 99,50.',
    times: 'La hora más temprana es posterior a la más tardía.',
    days: 'El primer día es posterior al último.',
    people: 'Escribe números enteros de personas, primero el menor.',
    alternatives: 'Escribe como máximo 10 alternativas de 200 caracteres.',
  },
  problemOf: (objective, problem) => `«${objective}»: ${problem}`,
  within: (limits) => `Dentro de unos límites: ${limits}`,
  limit: {
    price: (text) => `como máximo ${text}`,
    between: (from, to) => `de ${from} a ${to}`,
    from: (text) => `desde ${text}`,
    to: (text) => `hasta ${text}`,
    people: (least, most) => `de ${least} a ${most} personas`,
    peopleMin: (n) => `al menos ${n} ${n === 1 ? 'persona' : 'personas'}`,
    peopleMax: (n) => `como máximo ${n} ${n === 1 ? 'persona' : 'personas'}`,
    otherwise: (list) => `si no, ${list}`,
  },
}

export const vault: Words['calls']['vault'] = {
  title: 'Valores privados',
  lead: 'Solo para esta llamada, como un número de reserva o una fecha de nacimiento. Cada uno se dice solo cuando tú lo permites, se oculta en todas partes y se borra al terminar la llamada. Al salir de esta página se pierden los valores.',
  name: 'Nombre',
  namePlaceholder: 'Número de reserva',
  value: 'Valor',
  show: 'Mostrar el valor',
  hide: 'Ocultar el valor',
  when: 'Se puede decir',
  conditions: {
    asked: 'Cuando lo pidan',
    menu: 'Con teclas, en un menú telefónico',
    said: 'Después de que digan…',
  },
  words: 'Palabras que deben decir antes',
  wordsPlaceholder: 'El nombre de la reserva',
  add: 'Añadir un valor privado',
  full: (most) => `Una llamada admite como máximo ${most} valores privados.`,
  remove: (name) => `Quitar el valor privado: ${name}`,
  removeShort: 'Quitar',
  nameless: 'Pon un nombre a este valor privado o quítalo.',
  valueless: (name) => `Escribe el valor de «${name}» o quítalo.`,
  wordless: (name) => `Escribe las palabras tras las que se puede decir «${name}».`,
  alike: 'Dos valores privados tienen el mismo nombre.',
  masked: (name) => `•••• (${name}, oculto)`,
  told: {
    voice: (number, time) => `Dicho de viva voz a ${number}, ${time}`,
    keys: (number, time) => `Enviado con teclas a ${number}, ${time}`,
  },
  notTold: 'No se dijo',
  afterWords: (words) => `Después de que digan «${words}»`,
}

export const value: Words['calls']['value'] = {
  timeIn: (time, place) => `${time}, hora de ${place}`,
  name: (name) => `Nombre: ${name}`,
  reference: (reference) => `Referencia: ${reference}`,
}
