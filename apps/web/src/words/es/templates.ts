import type { Words } from '../shape.ts'

const WHERE = {
  purpose: 'del motivo',
  objectives: 'de los objetivos',
  context: 'del contexto',
  vault: 'de los valores privados',
} as const

export const templates: Words['templates'] = {
  title: 'Plantillas',
  open: 'Empezar con una plantilla',
  lead: 'Empieza con una llamada ya preparada. El número no cambia.',
  own: 'Tus plantillas',
  ownEmpty: 'Todavía ninguna. Las plantillas que guardes aparecen aquí.',
  readyTitle: 'Listas para usar',
  ready: {
    'negotiate hotel stays': {
      name: 'Negociar una estancia de hotel',
      purpose:
        'Acordar un precio mejor por una habitación doble para dos, del [llegada] al [salida]. En otro sitio la ofrecen por [precio] la noche.',
      objectives: [
        'Un precio por noche inferior a [precio]',
        'El desayuno está incluido',
        'Cancelación gratuita hasta la víspera',
      ],
    },
    'survey businesses and individuals': {
      name: 'Hacer una encuesta breve',
      purpose: 'Hacer tres preguntas breves sobre [tema], para una encuesta que dura dos minutos.',
      objectives: [
        'Cuánto les satisface [tema], del 1 al 10',
        'Qué cambiarían primero',
        'Si se les puede volver a preguntar el año que viene',
      ],
    },
    'call friends and family': {
      name: 'Llamar a un amigo o familiar',
      purpose: 'Preguntar cómo están y contarles que [noticia].',
      objectives: ['Cómo están', 'Si les viene bien verse el [día]'],
    },
    'generate business leads': {
      name: 'Buscar clientes',
      purpose: 'Decirles que [empresa] ofrece [oferta].',
      objectives: ['Quién decide sobre ello', 'Si quieren saber más', 'Una hora para hablar con un compañero'],
    },
    'amend bookings': {
      name: 'Cambiar una reserva',
      purpose: 'Pasar la reserva a nombre de [nombre] del [día y hora] al [nuevo día y hora].',
      objectives: ['La reserva queda para el [nuevo día y hora]', 'El cambio es gratuito'],
    },
    'send reminders': {
      name: 'Enviar un recordatorio',
      purpose: 'Recordarles la cita con [nombre] el [día y hora].',
      objectives: ['Van a asistir', 'Si necesitan algo antes'],
    },
    'make restaurant reservations': {
      name: 'Reservar una mesa',
      purpose: 'Reservar una mesa para [número de personas] el [día y hora], a nombre de [nombre].',
      objectives: ['Una mesa el [día y hora]', 'Hay platos vegetarianos'],
    },
  },
  filled: 'La plantilla ha sustituido lo que habías escrito.',
  secret: ({ kind, field, path }) => {
    const what = kind === 'card' ? 'un número de tarjeta' : 'una contraseña o un PIN'
    const where = path.length === 0 ? WHERE[field] : `${WHERE[field]} (${path.join(' › ')})`
    return `Esto parece ${what}. No se dan a Parley números de tarjeta ni contraseñas: quítalo ${where}.`
  },
  blanks: (list) => `Rellena lo que está entre corchetes: ${list}`,
  rename: (name) => `Cambiar el nombre de ${name}`,
  renameTitle: 'Cambiar el nombre de la plantilla',
  renamed: 'Nombre cambiado',
  renameFailed: 'No se pudo cambiar el nombre.',
  delete: (name) => `Eliminar ${name}`,
  deleteTitle: 'Eliminar la plantilla',
  deleteQuestion: (name) => `«${name}» se eliminará. Las llamadas hechas con ella se conservan.`,
  deleted: 'Plantilla eliminada',
  deleteFailed: 'No se pudo eliminar la plantilla.',
  save: 'Guardar como plantilla',
  saveTitle: 'Guardar como plantilla',
  saveLead: 'Se guardan el motivo, los objetivos, el tono, la duración, el idioma y el contexto; el número no.',
  name: 'Nombre',
  nameRequired: 'Ponle un nombre a la plantilla.',
  saved: 'Plantilla guardada',
  saveFailed: 'No se pudo guardar la plantilla.',
  failedTitle: 'No se pudieron cargar tus plantillas',
}
