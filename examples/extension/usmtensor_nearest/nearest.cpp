// The statements for point i. The points and centres are in C order.
const T *point = &points[i * axes];
index = 0;
for (long k = 0; k < count; ++k) {
  const T *centre = &centres[k * axes];
  T squares = 0;
  for (long axis = 0; axis < axes; ++axis) {
    const T difference = point[axis] - centre[axis];
    squares += difference * difference;
  }
  if (k == 0 || squares < distance) {
    index = k;
    distance = squares;
  }
}
distance = sqrt(distance);
