export { Dice, seededRandom } from '@shiplog/scenarios';
