import { BRAND, MINIMUM_AGE_YEARS } from '@parley/contract'
import type { LegalText } from '../en/legal.ts'

const { product, parentCompany, supportEmail } = BRAND
const contact = `Escribe a ${supportEmail}.`
const binding = 'Esta traducción es una ayuda para la lectura: el texto vinculante es el inglés.'

export const termsOfService: LegalText = {
  title: 'Condiciones del servicio',
  date: 'En vigor desde el 28/07/2025',
  binding,
  lead: `Estas condiciones son un acuerdo entre tú y ${parentCompany}, que ofrece ${product}. Al crear una cuenta o hacer una llamada las aceptas.`,
  contents: 'Secciones de las condiciones',
  sections: [
    {
      id: 'eligibility',
      title: 'Quién puede usar el servicio',
      paragraphs: [
        `Debes tener al menos ${MINIMUM_AGE_YEARS} años y capacidad para celebrar un contrato vinculante. Si usas ${product} en nombre de una organización, confirmas que puedes obligarla a cumplir estas condiciones.`,
        'Los datos que das al crear una cuenta deben ser verdaderos, y tu contraseña es solo tuya. Lo que suceda en tu cuenta es tu responsabilidad.',
      ],
    },
    {
      id: 'service',
      title: 'Qué hace el servicio',
      paragraphs: [
        `${product} hace llamadas telefónicas automatizadas por ti. Un agente de IA habla con la persona llamada según el motivo, los objetivos y el tono que indicas. Después puedes leer la transcripción y un resumen.`,
        'Al principio de cada llamada, el agente dice que es una IA y de parte de quién llama. Puede oír mal o entender mal: comprueba lo importante antes de confiar en ello.',
      ],
    },
    {
      id: 'acceptable-use',
      title: 'Uso aceptable',
      paragraphs: [
        'Solo puedes usar el servicio con fines lícitos. Eres responsable de tener derecho a llamar a las personas a las que nos pides llamar, y del contenido de esas llamadas. En particular, no debes usarlo para:',
      ],
      list: [
        'hacer llamadas basura, ni ninguna otra llamada masiva no solicitada sin el consentimiento que exige la ley',
        'hacer llamadas ilegales, incluidas las llamadas a personas que han pedido que no se las llame',
        'acosar, amenazar o maltratar a nadie',
        'cometer fraude, engañar o hacerte pasar por otra persona u organización',
        'cualquier otro fin que sea ilícito donde estés tú o donde esté la persona llamada',
      ],
    },
    {
      id: 'suspension',
      title: 'Suspensión y cancelación',
      paragraphs: [
        'Incumplir las reglas de uso aceptable puede llevar a la suspensión o cancelación de tu cuenta, sin aviso cuando alguien pueda salir perjudicado.',
        'Podemos poner fin a tu uso del servicio en cualquier momento. Tú puedes dejar de usarlo, y cerrar tu cuenta, cuando quieras.',
      ],
    },
    {
      id: 'credits',
      title: 'Créditos y pago',
      paragraphs: [
        'Las llamadas se pagan con créditos, que se compran por adelantado con tarjeta. Se usa cerca de un crédito por cada minuto de llamada, redondeado hacia arriba en cada llamada. Las cuentas nuevas reciben algunos créditos gratis.',
        'Los créditos no son reembolsables, salvo cuando la ley te da un derecho de reembolso que no se puede excluir. No se pueden cambiar por dinero ni pasar a otra cuenta.',
      ],
    },
    {
      id: 'transcripts',
      title: 'Transcripciones y grabaciones',
      paragraphs: [
        'Las transcripciones de las llamadas se guardan para que puedas leerlas. Al usar el servicio consientes la grabación de tus llamadas y el almacenamiento de grabaciones y transcripciones, tal como describe la política de privacidad.',
        'Cuando la ley exige el consentimiento de todas las personas que participan en una llamada, el agente lo pide, y no debes impedírselo.',
      ],
    },
    {
      id: 'as-is',
      title: 'Sin garantía',
      paragraphs: [
        'El servicio se ofrece tal como es y según esté disponible. En la medida en que la ley lo permite, no garantizamos que esté libre de fallos o interrupciones, que una llamada llegue a alguien ni que consiga lo que le pides.',
        'En la medida en que la ley lo permite, no respondemos de daños indirectos o consecuentes, ni por más de lo que pagaste por el servicio en los doce meses anteriores al hecho. Nada en estas condiciones limita una responsabilidad que la ley no permite limitar.',
      ],
    },
    {
      id: 'changes',
      title: 'Cambios en estas condiciones',
      paragraphs: [
        'Estas condiciones pueden cambiar en cualquier momento. Las vigentes están siempre en esta página con la fecha desde la que se aplican; si usas el servicio después de esa fecha, las aceptas.',
      ],
    },
    {
      id: 'law',
      title: 'Ley aplicable',
      paragraphs: [
        'Estas condiciones se rigen por la ley de Inglaterra y Gales, y sus tribunales deciden los litigios sobre ellas. Si eres consumidor, conservas la protección de la ley del país en que vives.',
      ],
    },
    { id: 'contact', title: 'Contacto', paragraphs: [`¿Preguntas sobre estas condiciones? ${contact}`] },
  ],
}

export const privacyPolicy: LegalText = {
  title: 'Política de privacidad',
  date: 'Última actualización: 2025',
  binding,
  lead: `Esta política dice qué datos personales trata ${parentCompany} cuando usas ${product}, por qué, y qué puedes pedirnos. ${parentCompany} es responsable del tratamiento de esos datos.`,
  contents: 'Secciones de la política',
  sections: [
    {
      id: 'data',
      title: 'Los datos que recogemos',
      paragraphs: [],
      list: [
        'Datos de identidad: tu nombre y, si la indicas, la empresa para la que trabajas',
        'Datos de contacto: tu correo electrónico y tu número de teléfono, y los contactos que añades',
        'Datos de llamadas: transcripciones, grabaciones y metadatos como el número llamado, la hora y la duración de una llamada',
        'Datos de uso: cómo usas el servicio y sus páginas',
        'Datos técnicos: tu dirección en internet, tu navegador y dispositivo, y la hora de tus visitas',
        'Datos de transacciones: los créditos que compras y usas. Los datos de la tarjeta van a nuestro proveedor de pagos y nunca nos llegan',
        'Datos de comunicaciones: lo que nos escribes y lo que eliges recibir de nosotros',
      ],
    },
    {
      id: 'use',
      title: 'Para qué los usamos',
      paragraphs: ['Usamos datos personales para:'],
      list: [
        'crear tu cuenta y mantenerla segura',
        'hacer las llamadas que pides y mostrarte qué se consiguió',
        'cobrar pagos y llevar la cuenta de tus créditos',
        'prevenir el fraude, las llamadas molestas y otros abusos',
        'responderte y avisarte de cambios en el servicio',
        'encontrar fallos y mejorar el servicio',
      ],
    },
    {
      id: 'bases',
      title: 'Las bases legales',
      paragraphs: ['Tratamos datos personales solo cuando la ley nos da una base para ello:'],
      list: [
        'intereses legítimos: mantener un servicio seguro y mejorarlo, cuando tus propios intereses no pesan más que los nuestros',
        'cumplimiento de un contrato: darte el servicio al que te apuntaste',
        'obligación legal: llevar los registros y respetar las reglas que la ley nos impone',
        'consentimiento: cuando te lo pedimos, por ejemplo antes de grabar una llamada donde la ley lo exige',
      ],
    },
    {
      id: 'sharing',
      title: 'Quién más los trata',
      paragraphs: [
        'Hay proveedores que trabajan para nosotros por contrato y según nuestras instrucciones: los que transportan llamadas, reconocen y producen voz, escriben resúmenes, cobran pagos con tarjeta y alojan el servicio. No vendemos datos personales.',
        'Cuando un proveedor está en otro país, la transferencia está protegida por una decisión de adecuación o por cláusulas contractuales tipo.',
      ],
    },
    {
      id: 'retention',
      title: 'Cuánto tiempo los guardamos',
      paragraphs: [
        'Las transcripciones, grabaciones y resúmenes se borran pasado el plazo de conservación de tu cuenta. Los demás datos se guardan mientras exista tu cuenta y, después, solo el tiempo que exija la ley, por ejemplo para registros fiscales.',
      ],
    },
    {
      id: 'rights',
      title: 'Tus derechos',
      paragraphs: ['Tienes derecho a:'],
      list: [
        'acceder a los datos personales que tenemos sobre ti',
        'que se rectifiquen los datos incorrectos',
        'que se borren tus datos o se lleven a otro servicio',
        'retirar un consentimiento en cualquier momento',
        'no ser objeto de decisiones basadas únicamente en un tratamiento automatizado que te afecten de forma significativa',
        'que se limite el tratamiento de tus datos, u oponerte a él',
      ],
    },
    {
      id: 'called',
      title: 'Si te llamamos',
      paragraphs: [
        'El agente te dice que es una IA y de parte de quién llama. Pídele que te quite de la lista y no se volverá a llamar a tu número de parte de esa persona. Los derechos de arriba también son tuyos.',
      ],
    },
    {
      id: 'contact',
      title: 'Solicitudes y reclamaciones',
      paragraphs: [
        `Las solicitudes y reclamaciones se hacen por correo electrónico. ${contact} Respondemos en el plazo de un mes. También puedes reclamar ante la autoridad de protección de datos del país en que vives; en el Reino Unido es la Information Commissioner’s Office.`,
      ],
    },
  ],
}
