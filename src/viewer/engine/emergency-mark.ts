/**
 * The storage item of a tab that notes that its robot's emergency stop is latched: a reload must not release it. Gone with the
 * tab.
 */
const STORAGE_ITEM = 'simplesim.emergency-stop';

export const readEmergencyStop = (storage: Pick<Storage, 'getItem'>): boolean => storage.getItem(STORAGE_ITEM) !== null;

export function keepEmergencyStop(storage: Pick<Storage, 'setItem' | 'removeItem'>, latched: boolean): void {
  if (latched) storage.setItem(STORAGE_ITEM, 'latched');
  else storage.removeItem(STORAGE_ITEM);
}
