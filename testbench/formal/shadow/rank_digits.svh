// rank_digits - the value of a rank or a count of nodes that is kept digit by digit, lowest first, in base Base, the digits of such a
// number, and whether all of its Digits + 1 digits are digits of that base. The module that includes this has Base, Digits, DigitWidth and RankWidth.
  function automatic logic [7:0] number_of(input logic [RankWidth-1:0] digits);
    number_of = '0;
    for (int j = Digits; j >= 0; j--) number_of = number_of * 8'(Base) + 8'(digits[j*DigitWidth +: DigitWidth]);
  endfunction
  function automatic logic are_digits(input logic [RankWidth-1:0] digits);
    are_digits = 1'b1;
    for (int j = 0; j <= Digits; j++) are_digits = are_digits && 32'(digits[j*DigitWidth +: DigitWidth]) < Base;
  endfunction
  function automatic logic [RankWidth-1:0] digits_of(input int number);
    int rest;
    digits_of = '0;
    rest      = number;
    for (int j = 0; j <= Digits; j++) begin
      digits_of[j*DigitWidth +: DigitWidth] = DigitWidth'(rest % Base);
      rest = rest / Base;
    end
  endfunction
